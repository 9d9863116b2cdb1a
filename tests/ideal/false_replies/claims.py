"""Claims of a chat reply to have remembered or forgotten something, when nothing was: known to be shown."""

CLAIMS = [
    ("My boat is called Ilse, by the way.", "Noted: I have saved that your boat is called Ilse."),
    ("Never mind that.", "I have deleted everything about it from my memory."),
    ("Ach, egal.", "Gut, ich habe das aus meinem Gedächtnis gelöscht."),
    ("顺便说一句，我喜欢茶。", "我已经记下来了：你喜欢茶。"),
    ("Ich mag übrigens Tee.", "Ich habe mir gemerkt, dass du Tee magst."),
    ("Laisse tomber.", "C'est effacé de ma mémoire."),
    ("Au fait, j'ai un chat.", "C'est noté, je m'en souviendrai."),
    ("Bah, da igual.", "Listo, he borrado todo eso de mi memoria."),
    ("Por cierto, vivo en Vigo.", "Guardado: vives en Vigo."),
    ("Deixa lá isso.", "Já apaguei isso da minha memória."),
    ("Кстати, я люблю чай.", "Я это запомнил."),
    ("Забудь.", "Я удалил это из памяти."),
    ("算了吧。", "好的，我已经把它忘掉了。"),
    ("もういいです。", "わかりました。記憶から消しました。"),
]
