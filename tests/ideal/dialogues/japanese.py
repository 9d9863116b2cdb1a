from tests.ideal.dialogue import Dialogue, Fact_, Said

NARA = "the user – 住まい: 奈良"
MIKE = "the user – 猫: ミケ"

JAPANESE = [
    Dialogue(
        (
            Said("こんにちは！", "ja chat", answer="こんにちは！"),
            Said("妹は鎌倉で働いています。", "ja remember", (Fact_("the user|妹の職場|鎌倉"),)),
            Said("それは忘れて。", "ja forget: that"),
        ),
    ),
    Dialogue(
        (
            Said("奈良に住んでいます。", "ja remember", (Fact_("the user|住まい|奈良"),)),
            Said(
                "2020年4月に金沢へ引っ越しました。",
                "ja remember",
                (Fact_("the user|住まい|金沢", since="2020-04", instead=(NARA,)),),
            ),
        ),
        holds=frozenset({"the user – 住まい: 金沢 (since 2020-04-01)"}),
        past=frozenset({f"{NARA} (until 2020-04-01)"}),
    ),
    Dialogue(
        (
            Said("東京には住んでいません。", "ja remember"),
            Said("私は看護師です。", "ja remember", (Fact_("the user|仕事|看護師"),)),
            Said("もう看護師ではありません。", "ja remember", over=("the user – 仕事: 看護師",)),
        ),
        past=frozenset({"the user – 仕事: 看護師"}),
    ),
    Dialogue(
        (
            Said("私の猫はミケといいます。", "ja remember", (Fact_("the user|猫|ミケ"),)),
            Said("犬はポチです。", "ja remember", (Fact_("the user|犬|ポチ"),)),
            Said("ポチのことは忘れて。", "ja forget: ポチ"),
            Said("はい。", "ja yes"),
        ),
        holds=frozenset({MIKE}),
    ),
    Dialogue(
        (
            Said("私の猫はミケといいます。", "ja remember", (Fact_("the user|猫|ミケ"),)),
            Said(
                "違います、タマです。",
                "ja correct",
                (Fact_("the user|猫|タマ", instead=(MIKE,)),),
                wrong=(MIKE,),
            ),
            Said("元に戻して。", "ja undo"),
        ),
        holds=frozenset({MIKE}),
    ),
]
