from tests.ideal.dialogue import Dialogue, Fact_, Said

SHANGHAI = "the user – 住在: 上海"

CHINESE = [
    Dialogue(
        (
            Said("我住在上海。", "zh remember", (Fact_("the user|住在|上海"),)),
            Said(
                "2022年5月我搬到了昆明。",
                "zh remember",
                (Fact_("the user|住在|昆明", since="2022-05", instead=(SHANGHAI,)),),
            ),
        ),
        holds=frozenset({"the user – 住在: 昆明 (since 2022-05-01)"}),
        past=frozenset({f"{SHANGHAI} (until 2022-05-01)"}),
    ),
    Dialogue(
        (
            Said("我不住在北京。", "zh remember"),
            Said("我会弹古筝。", "zh remember", (Fact_("the user|会弹|古筝"),)),
            Said("我早就不弹古筝了。", "zh remember", over=("the user – 会弹: 古筝",)),
        ),
        past=frozenset({"the user – 会弹: 古筝"}),
    ),
    Dialogue(
        (
            Said("我姐姐陈雪是护士。", "zh remember", (Fact_("the user|姐姐|陈雪"), Fact_("陈雪|职业|护士"))),
            Said("我弟弟阿明是司机。", "zh remember", (Fact_("the user|弟弟|阿明"), Fact_("阿明|职业|司机"))),
            Said("把陈雪的事都忘掉。", "zh forget: 陈雪"),
            Said("好的。", "zh yes"),
        ),
        holds=frozenset({"the user – 弟弟: 阿明", "阿明 – 职业: 司机"}),
    ),
    Dialogue(
        (
            Said("我的考试是五号。", "zh remember", (Fact_("the user|考试|五号"),)),
            Said(
                "错了，是七号。",
                "zh correct",
                (Fact_("the user|考试|七号", instead=("the user – 考试: 五号",)),),
                wrong=("the user – 考试: 五号",),
            ),
            Said("撤销。", "zh undo"),
            Said("还是恢复吧。", "zh restore"),
        ),
        holds=frozenset({"the user – 考试: 七号"}),
        never=frozenset({"the user – 考试: 五号"}),
    ),
]
