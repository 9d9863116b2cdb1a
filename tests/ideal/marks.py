"""What is shown behind a sentence that is not supported, in each language."""

EN, DE, FR = " (not from your sources)", " (nicht aus deinen Quellen)", " (pas tiré de tes sources)"
ES, PT, RU = " (no procede de tus fuentes)", " (não consta nas suas fontes)", " (не из твоих источников)"
ZH, JA = "（并非出自你的资料）", "（あなたの資料にはありません）"
