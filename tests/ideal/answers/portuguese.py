from tests.ideal.evidence import BARCO, BEES, CAREER, FAMILY, GYM, MYSELF, PHONES, RENT, REUNIAO, ROOF, RYOKAN, Ideal

PORTUGUESE = [
    Ideal("Por que a reunião foi adiada?", (REUNIAO,), "Porque a Marta Reis adoeceu [1]."),
    Ideal("Para quando?", (REUNIAO,), "Para 15 de abril [1]."),
    Ideal("Quanto é o orçamento por mês?", (REUNIAO,), "São 700 reais por mês [1]."),
    Ideal(
        "Resuma a ata numa frase.", (REUNIAO,), "A reunião passou para abril e o orçamento não muda: 8 400 reais [1]."
    ),
    Ideal("Qual é a renda em euros?", (RENT,), "A renda é de 920 € por mês [1]."),
    Ideal("Quem é a dona do Bello?", FAMILY, "A Anna Berg [3], sua irmã [1]."),
    Ideal("Quanto mel deu a primeira colmeia?", (BEES,), "Deu 14 kg [1]."),
    Ideal("Onde é que eu moro?", MYSELF, "Moras em Gante [1]."),
    Ideal("Qual é a minha profissão?", MYSELF, "És encadernador: «bookbinder» [2]."),
    Ideal("Qual barco leva mais gente?", (BARCO,), "O Gaivota, que leva 8 pessoas, mais 2 do que o Andorinha [1]."),
    Ideal("Quanto custa o aluguer por pessoa no Gaivota?", (BARCO,), "120 € ÷ 8 = 15 € por pessoa [1]."),
    Ideal(
        "Faz uma tabela dos barcos.",
        (BARCO,),
        "| barco | comprimento | pessoas |\n|---|---|---|\n| Andorinha | 7,5 m | 6 [1] |\n| Gaivota | 9 m | 8 [1] |",
    ),
    Ideal("Como saio do ginásio?", (GYM,), "Com uma carta à Halle Nord, 30 dias antes do fim do prazo [1]."),
    Ideal("Qual telemóvel compensa mais?", (PHONES,), "O Alma, a 8 € por hora de bateria; o Brio fica a 9 € [1]."),
    Ideal("Quantos anos trabalhou a Ines na Nordwerk?", (CAREER,), "Oito anos, de 2010 a 2018 [1]."),
    Ideal("O cancelamento na pousada é grátis?", (RYOKAN,), "Sim, até 3 dias antes [1]."),
    Ideal(
        "Por que é que o telhado não foi reparado? Explica com calma.",
        (ROOF,),
        "Porque a ardósia, que vinha do País de Gales, chegou três semanas atrasada [1].\n\n"
        "Por isso a reparação não se fez [1]. O Paul Ott queixou-se [1].",
    ),
    Ideal(
        "E quantas pessoas leva o Andorinha?",
        (BARCO,),
        "Esse leva 6 [1].",
        said="e o outro?",
        before=("Quantas pessoas leva o Gaivota?", "Leva 8 pessoas [1]."),
    ),
    Ideal(
        "Para quando foi adiada a reunião?",
        (REUNIAO,),
        "Para 15 de abril [1]. A Dra. Marta Reis vive na R. do Sol, n.º 5, em Braga. O motivo foi a doença dela [1].",
        ("A Dra. Marta Reis vive na R. do Sol, n.º 5, em Braga.",),
        " (não consta nas suas fontes)",
    ),
]
