"""Chinese forms; see `assistant.shortcuts`."""

from assistant.understanding import Understanding

FORMS = (
    ("请?(撤销|撤回)(一下)?", Understanding("undo", language="zh")),
    ("请?(恢复|还原)(一下)?", Understanding("restore", language="zh")),
    ("请?(忘掉|忘记)(这个|那个|它)(吧)?", Understanding("forget", about="that", language="zh")),
    (
        "请?(忘掉|忘记)(我刚才说的话?|我刚刚说的话?)(吧)?|把我?(刚才|刚刚)说的(话)?忘掉(吧)?",
        Understanding("forget", about="last", language="zh"),
    ),
    ("请?(忘掉|忘记)(一切|所有事情)(吧)?", Understanding("forget", about="everything", language="zh")),
    ("(是的?|好的?|确认|确定)", Understanding("yes", language="zh")),
)
