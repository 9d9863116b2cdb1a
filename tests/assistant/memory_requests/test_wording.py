import pytest

from assistant.memory_requests.wording import (
    BringBack,
    Correct,
    Forget,
    ForgetDocument,
    ForgetEverything,
    ForgetTold,
    Summarise,
    SummariseAll,
    Tell,
    Undo,
    requested,
)


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ("undo", Undo()),
        ("Undo that, please.", Undo()),
        ("bring it back", BringBack()),
        ("恢复", BringBack()),
        ("撤销", Undo()),
        ("forget that, undo", Undo()),
        ("forget that", Forget()),
        ("Forget that I said that.", Forget()),
        ("forget I said so", Forget()),
        ("forget that Anna said so", Forget("Anna said so")),
        ("forget that for a moment", None),
        ("你忘了我的名字", None),
        ("你忘了我的名字吧", Forget("我的名字")),
        ("请忘了我的名字", Forget("我的名字")),
        ("forget about it, tell me a joke", None),
        ("forget it I was joking", None),
        ("delete my phone number", Forget("my phone number")),
        ("Please delete Anna's address, thanks", Forget("Anna's address")),
        ("删掉我的电话号码", Forget("我的电话号码")),
        ("No, please forget it!", Forget()),
        ("Forget what I just told you.", Forget()),
        ("Can you delete that from your memory?", Forget()),
        ("把刚才说的忘掉吧", Forget()),
        ("别记了", Forget()),
        ("Forget that my sister lives in Oslo", Forget("my sister lives in Oslo")),
        ("forget everything you know about Anna", Forget("Anna")),
        ("remove my address from memory", Forget("my address")),
        ("忘了我的车牌号", Forget("我的车牌号")),
        ("把关于我姐姐的信息都删掉", Forget("我姐姐")),
        ("forget everything", ForgetEverything(False)),
        ("Forget everything you know about me.", ForgetEverything(False)),
        ("yes, forget everything", ForgetEverything(True)),
        ("忘掉一切", ForgetEverything(False)),
        ("是的，忘掉一切", ForgetEverything(True)),
        ("What do you know about my sister?", Tell("my sister")),
        ("what did I tell you about my knee", Tell("my knee")),
        ("关于我姐姐你知道些什么？", Tell("我姐姐")),
        ("你记得我姐姐的哪些事？", Tell("我姐姐")),
        ("summarise what I uploaded", Summarise()),
        ("Please summarize the document.", Summarise()),
        ("give me a short summary of my file", Summarise()),
        ("Summarise report.pdf", Summarise("report.pdf")),
        ("总结一下我上传的文件", Summarise()),
        ("Can you summarise the documents I uploaded?", SummariseAll()),
        ("Summarize my documents", SummariseAll()),
        ("sum up everything I uploaded", SummariseAll()),
        ("总结我上传的所有文件", SummariseAll()),
        ("forget what I told you yesterday", ForgetTold("yesterday")),
        ("Forget everything from last week", ForgetTold("last week")),
        ("忘掉昨天说的话", ForgetTold("yesterday")),
        ("forget lease.md", Forget("lease.md")),
        ("Please delete the file I uploaded", ForgetDocument()),
        ("忘记那个文件", ForgetDocument()),
        ("It's Oslo, not Bergen", Correct()),
        ("You're wrong, she lives in Oslo", Correct()),
        ("It's Oslo, not in Bergen any more.", Correct()),
        ("不是卑尔根，是奥斯陆", Correct()),
        ("麻烦你忘掉安娜", Forget("安娜")),
        ("总结一下report.pdf", Summarise("report.pdf")),
        ("no, she moved to Oslo", Correct()),
        ("That's wrong, he works at Acme now.", Correct()),
        ("不对，她搬到奥斯陆了", Correct()),
    ],
)
def test_what_is_asked_is_told_from_the_words(text, request_):
    assert requested(text) == request_


@pytest.mark.parametrize(
    "text",
    [
        "don't forget that my flight is at 9",
        "never forget",
        "I forgot who invented the zip",
        "别忘了我周五考试",
        "我忘了带钥匙",
        "remove the background",
        "remove my name from the letter",
        "forget that, tell me a joke",
        "delete the last paragraph",
        "what do you think about cats?",
        "What is an undo log?",
        "no, I meant Mont Aigoual",
        "no thanks",
        "Sorry, what is the capital of France",
        "no, I think the weather is nice",
        "no, where does she live?",
        "不是，我问的是人口",
        "My sister lives in Oslo.",
        "",
    ],
)
def test_other_messages_ask_nothing_of_the_memory(text):
    assert requested(text) is None


@pytest.mark.parametrize("text", ["I live in Oslo, not " + "中" * 500 + " a b c d e f", "麻烦你" * 500 + "走"])
def test_a_long_message_is_told_from_the_words_at_once(text):
    """Where there are many ways to read what repeats, this would take for ever."""
    assert requested(text) is None
