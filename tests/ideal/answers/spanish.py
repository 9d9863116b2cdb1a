from tests.ideal.evidence import ALTA, BARCO, CAREER, FAMILY, HUERTO, MYSELF, PHONES, ROOF, RYOKAN, TAREA, TENNIS, Ideal

SPANISH = [
    Ideal("¿Cuánto cuesta la obra?", (TAREA,), "La obra cuesta 12 500 € [1]."),
    Ideal(
        "¿Cuándo empieza y quién es el electricista?",
        (TAREA,),
        "Empieza el 3 de junio [1]. El electricista es Luis Prado [1].",
    ),
    Ideal("¿Por qué no se reparó el tejado?", (ROOF,), "Porque las pizarras llegaron tarde [1]."),
    Ideal("¿Cuánto es la mitad?", (TAREA,), "Son 6.250 euros [1]."),
    Ideal("¿Quién fue la pareja de Paes?", (TENNIS,), "Mahesh Bhupathi fue su pareja de dobles [1]."),
    Ideal("¿Dónde vive mi hermana?", FAMILY, "Tu hermana Anna vive en Tromsø [1, 2]."),
    Ideal("¿Cuántos años trabajó Ines en Nordwerk?", (CAREER,), "Ocho años [1]."),
    Ideal(
        "¿Qué día empieza?",
        (TAREA,),
        "El 3 de junio [1]. En junio suele llover poco.",
        ("En junio suele llover poco.",),
        " (no procede de tus fuentes)",
    ),
    Ideal("¿Dónde vivo?", MYSELF, "Vives en Gante (Ghent) [1]."),
    Ideal("¿A qué soy alérgico?", MYSELF, "A las nueces [3]."),
    Ideal("¿Cuántas plantas quedan en total?", (HUERTO,), "Quedan 37: 21 tomateras y 16 pimientos [1]."),
    Ideal("¿A qué hora se riega?", (HUERTO,), "Dos veces al día, a las 7:30 y a las 21:00 [1]."),
    Ideal(
        "¿Cómo me doy de baja del teléfono?",
        (ALTA,),
        "Por escrito, con 15 días de antelación [1]. La permanencia termina el 1 de marzo de 2027 [1], así que "
        "conviene enviarlo, p. ej., el 14 de febrero [1].",
    ),
    Ideal(
        "¿Qué móvil sale más a cuenta?", (PHONES,), "El Alma: 240 € / 30 h = 8 €/h; el Brio, 360 € / 40 h = 9 €/h [1]."
    ),
    Ideal(
        "Haz una lista de lo que hay en el huerto.",
        (HUERTO,),
        "* 21 tomateras vivas (de 24) [1]\n* 16 pimientos [1]\n* riego: 7:30 y 21:00 [1]",
    ),
    Ideal("¿Se puede llevar un perro a la posada?", (RYOKAN,), "No, no admiten perros [1]."),
    Ideal("¿Qué barco es más largo?", (BARCO,), "El Gaivota, por 1,5 m: mide 9 m [1]."),
    Ideal(
        "Escríbelo en Python: el riego.",
        (HUERTO,),
        "Así queda [1]:\n\n```python\nriego = ['7:30', '21:00']\nprint(riego[0])\n```\n",
    ),
    Ideal(
        "¿Y cuánto cuesta la obra en dos plazos?",
        (TAREA,),
        "Dos plazos de 6.250 € [1].",
        said="¿y en dos plazos?",
        before=("¿Cuánto cuesta la obra?", "Cuesta 12.500 euros [1]."),
    ),
    Ideal(
        "¿Quién es el electricista?",
        (TAREA,),
        "Es el Sr. Prado [1]. El Sr. Prado vive en la Avda. 5 y cobra, p. ej., 30 € por jornada. "
        "La obra empieza el 3 de junio [1].",
        ("El Sr. Prado vive en la Avda. 5 y cobra, p. ej., 30 € por jornada.",),
        " (no procede de tus fuentes)",
    ),
    Ideal(
        "¿Cuándo se riega?",
        (HUERTO,),
        "A las 7:30 [1]. Cada riego dura una hora. Luego se riega otra vez a las 21:00 [1].",
        ("Cada riego dura una hora.",),
        " (no procede de tus fuentes)",
        known="a short word may be an abbreviation, of which a full stop ends no sentence: both are marked",
    ),
]
