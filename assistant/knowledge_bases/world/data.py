"""What the packages behind `world` lack, or have wrong: written by hand, checked against the standards named.

Countries are keyed by ISO 3166-1 alpha-2 code, cities by that code and GeoNames' name.
"""


def _codes(text: str) -> frozenset[str]:
    return frozenset(text.split())


RELATIONS = {
    "kind": ("instance of", "类型"),
    "official_name": ("official name", "正式名称"),
    "capital": ("capital", "首都"),
    "largest_city": ("largest city", "最大城市"),
    "currency": ("currency", "货币"),
    "official_language": ("official language", "官方语言"),
    "language": ("language spoken", "使用语言"),
    "population": ("population", "人口"),
    "area": ("area", "面积"),
    "population_density": ("population density", "人口密度"),
    "neighbour": ("neighbouring country", "邻国"),
    "continent": ("continent", "所在大洲"),
    "subregion": ("subregion", "所在地区"),
    "calling_code": ("calling code", "国际电话区号"),
    "internet_domain": ("internet domain", "互联网域名"),
    "iso_code": ("ISO country code", "国家代码"),
    "iso_alpha3": ("ISO alpha-3 code", "三位国家代码"),
    "iso_numeric": ("ISO numeric code", "数字国家代码"),
    "country": ("located in country", "所在国家"),
    "state": ("state", "所在州"),
    "time_zone": ("time zone", "时区"),
    "coordinates": ("coordinates", "坐标"),
    "currency_code": ("currency code", "货币代码"),
    "language_code": ("language code", "语言代码"),
    "symbol": ("chemical symbol", "元素符号"),
    "atomic_number": ("atomic number", "原子序数"),
    "atomic_mass": ("atomic mass", "原子量"),
    "density": ("density", "密度"),
    "group": ("group", "族"),
    "period": ("period", "周期"),
}

# What else people call them; the names in the other language are known anyway.
RELATION_ALIASES = {
    "kind": ("is a", "kind", "是"),
    "capital": ("capital city", "首府"),
    "largest_city": ("biggest city", "most populous city"),
    "currency": ("official currency", "money", "monetary unit", "官方货币", "流通货币"),
    "official_language": ("national language", "国语"),
    "language": ("languages", "spoken language", "语言"),
    "population": ("number of people", "inhabitants", "number of inhabitants", "人口数量", "人口总数"),
    "area": ("size", "total area", "surface area", "国土面积", "总面积"),
    "population_density": ("people per square kilometre",),
    "neighbour": ("neighbour", "neighbor", "borders", "shares border with", "bordering country", "接壤", "相邻国家"),
    "continent": ("part of continent", "located on continent", "大洲", "洲"),
    "subregion": ("region", "地区"),
    "calling_code": ("dialling code", "country calling code", "phone code", "telephone code", "电话区号", "国际区号"),
    "internet_domain": ("top-level domain", "country domain", "顶级域名", "域名"),
    "iso_code": ("country code", "ISO code", "ISO代码"),
    "country": ("country", "located in", "国家", "位于", "属于"),
    "state": ("U.S. state", "located in state"),
    "coordinates": ("location", "latitude and longitude", "经纬度"),
    "symbol": ("symbol", "element symbol", "化学符号", "符号"),
    "atomic_number": ("number of protons", "proton number", "质子数", "原子序号"),
    "atomic_mass": ("atomic weight", "standard atomic weight", "相对原子质量", "原子质量"),
    "group": ("group in the periodic table", "第几族"),
    "period": ("period in the periodic table", "第几周期"),
}

KINDS = {
    "continent": ("continent", "大洲"),
    "subregion": ("subregion", "地区"),
    "country": ("country", "国家"),
    "territory": ("country or territory", "国家或地区"),
    "city": ("city", "城市"),
    "currency": ("currency", "货币"),
    "language": ("language", "语言"),
    "element": ("chemical element", "化学元素"),
}

# GeoNames' continent codes as UN M49 codes, by which CLDR names them; Antarctica it has as a territory.
CONTINENTS = {"AF": "002", "AN": "AQ", "AS": "142", "EU": "150", "NA": "003", "OC": "009", "SA": "005"}

# UN M49: subregion to countries.
SUBREGIONS = {
    "015": "DZ EG EH LY MA SD TN",
    "014": "BI DJ ER ET IO KE KM MG MU MW MZ RE RW SC SO SS TF TZ UG YT ZM ZW",
    "017": "AO CD CF CG CM GA GQ ST TD",
    "018": "BW LS NA SZ ZA",
    "011": "BF BJ CI CV GH GM GN GW LR ML MR NE NG SH SL SN TG",
    "029": "AG AI AW BB BL BQ BS CU CW DM DO GD GP HT JM KN KY LC MF MQ MS PR SX TC TT VC VG VI",
    "013": "BZ CR GT HN MX NI PA SV",
    "005": "AR BO BR BV CL CO EC FK GF GS GY PE PY SR UY VE",
    "021": "BM CA GL PM US",
    "143": "KG KZ TJ TM UZ",
    "030": "CN HK JP KP KR MN MO TW",
    "035": "BN ID KH LA MM MY PH SG TH TL VN",
    "034": "AF BD BT IN IR LK MV NP PK",
    "145": "AE AM AZ BH CY GE IL IQ JO KW LB OM PS QA SA SY TR YE",
    "151": "BG BY CZ HU MD PL RO RU SK UA",
    "154": "AX DK EE FI FO GB GG IE IM IS JE LT LV NO SE SJ",
    "039": "AD AL BA ES GI GR HR IT ME MK MT PT RS SI SM VA XK",
    "155": "AT BE CH DE FR LI LU MC NL",
    "053": "AU CC CX HM NF NZ",
    "054": "FJ NC PG SB VU",
    "057": "FM GU KI MH MP NR PW UM",
    "061": "AS CK NU PF PN TK TO TV WF WS",
}

# Neither members nor observers of the United Nations.
TERRITORIES = _codes(
    "AI AS AW AX BL BM BQ BV CC CK CW CX EH FK FO GF GG GI GL GP GS GU HK HM IM IO JE KY MF MO MP MQ MS NC NF NU PF PM "
    "PN PR RE SH SJ SX TC TF TK TW UM VG VI WF XK YT"
)
# Dissolved (Serbia and Montenegro 2006, Netherlands Antilles 2010), and Antarctica, which is here as a continent.
NO_COUNTRIES = _codes("CS AN AQ")

ENGLISH_NAMES = {
    "AX": "Åland Islands",
    "BL": "Saint Barthélemy",
    "BQ": "Caribbean Netherlands",
    "CC": "Cocos (Keeling) Islands",
    "CW": "Curaçao",
    "NL": "Netherlands",
    "PN": "Pitcairn Islands",
    "PS": "Palestine",
    "RE": "Réunion",
    "ST": "São Tomé and Príncipe",
    "TL": "Timor-Leste",
    "VA": "Vatican City",
}
CHINESE_NAMES = {"PS": "巴勒斯坦", "AE": "阿联酋"}
# CLDR calls them special administrative regions; their time zones it calls as people do.
NAMED_AS_ZONES = {"HK": "Asia/Hong_Kong", "MO": "Asia/Macau"}
# These are as much a country's name as its label: they go before cities that happen to be called so.
EQUAL_NAMES = {
    "AE": ("UAE", "Emirates"),
    "CD": ("DR Congo", "DRC", "刚果民主共和国"),
    "CG": ("Congo", "刚果", "刚果共和国"),
    "GB": ("UK", "U.K.", "Great Britain", "Britain"),
    "KP": ("North Korea", "DPRK", "北朝鲜"),
    "KR": ("South Korea", "Korea", "Republic of Korea", "大韩民国"),
    "NL": ("Holland", "The Netherlands"),
    "RU": ("Russia", "Russian Federation"),
    "US": ("USA", "U.S.", "U.S.A.", "US", "America", "United States of America", "美利坚合众国"),
}
OTHER_NAMES = {
    "BA": ("Bosnia",),
    "CI": ("Côte d'Ivoire", "Cote d'Ivoire", "象牙海岸"),
    "CN": ("People's Republic of China", "PRC", "中华人民共和国"),
    "CV": ("Cape Verde",),
    "CZ": ("Czech Republic", "捷克共和国"),
    "GB": ("大不列颠",),
    "LA": ("老挝人民民主共和国",),
    "MK": ("Macedonia", "马其顿"),
    "MM": ("Burma",),
    "SA": ("沙特",),
    "SZ": ("Swaziland", "斯威士兰"),
    "TL": ("East Timor",),
    "TR": ("Türkiye",),
    "VA": ("Holy See", "Vatican", "教廷"),
}
WITH_ARTICLE = _codes(
    "AE AX BQ BS CC CD CF CG CK CZ DO FK FO GB GM GS HM IM IO KM KY MH MP MV NL PH PN SB TC TF UM US VG VI"
)

# Bulgaria has paid in euro since 2026; Zimbabwe's ZWG and the Caribbean guilder XCG have no Chinese name in CLDR yet.
CURRENCY_CODES = {"BG": "EUR"}
CURRENCY_NAMES = {
    "XCG": {"en": "Caribbean Guilder", "zh": "加勒比盾"},
    "ZWG": {"en": "Zimbabwe Gold", "zh": "津巴布韦金"},
}
# CLDR has what is spoken at offices where the constitution or a law names others, and only English for South Africa.
OFFICIAL_LANGUAGES = {
    "CH": ("de", "fr", "it", "rm"),
    "DZ": ("ar", "tzm"),
    "IQ": ("ar", "ku"),
    "LI": ("de",),
    "MA": ("ar", "zgh"),
    "NG": ("en",),
    "TN": ("ar",),
    "UA": ("uk",),
    "ZA": ("zu", "xh", "af", "nso", "en", "tn", "st", "ts", "ss", "ve", "nr"),
}
# Of GeoNames' table of countries: figures that are old or rounded to nothing, borders of bases and of what is a country
# of its own now, and the one that was opened by a bridge. India's people by the World Bank, 2024.
CORRECTED: dict[str, dict[str, object]] = {
    "AL": {"neighbours": "MK,GR,ME,XK"},
    "BW": {"neighbours": "ZW,ZA,NA,ZM"},
    "CU": {"neighbours": ""},
    "IN": {"population": 1_450_935_791},
    "MC": {"areakm2": 2.08},
    "RS": {"neighbours": "HU,MK,RO,HR,BA,BG,ME,XK"},
    "TL": {"continentcode": "AS"},
    "US": {"neighbours": "CA,MX"},
    "VA": {"areakm2": 0.44},
    "ZM": {"neighbours": "ZW,TZ,MZ,CD,NA,MW,AO,BW"},
}

LANGUAGE_ALIASES = {
    "es": ("Castilian",),
    "fa": ("Farsi",),
    "tl": ("Tagalog",),
    "zh": ("Mandarin", "Mandarin Chinese", "汉语", "普通话", "华语"),
}

# What GeoNames' cities call a capital that its countries spell in a way no folding reaches.
CAPITALS = {"EH": "Laayoune", "KZ": "Astana", "MN": "Ulan Bator", "MO": "Macau", "PW": "Ngerulmud"}

# Where the alternate names hold no Chinese name, an old one, or one that is not used on the mainland.
CHINESE_CITIES = {
    ("AU", "Canberra"): "堪培拉",
    ("BI", "Gitega"): "基特加",
    ("BN", "Bandar Seri Begawan"): "斯里巴加湾市",
    ("CA", "Calgary"): "卡尔加里",
    ("CH", "Bern"): "伯尔尼",
    ("CN", "Changshu"): "常熟",
    ("CN", "Huizhou"): "惠州",
    ("CN", "Xiangyang"): "襄阳",
    ("CR", "San José"): "圣何塞",
    ("CV", "Praia"): "普拉亚",
    ("EG", "Giza"): "吉萨",
    ("EH", "Laayoune"): "阿尤恩",
    ("ES", "Ceuta"): "休达",
    ("FM", "Palikir - National Government Center"): "帕利基尔",
    ("GD", "Saint George's"): "圣乔治",
    ("GQ", "Ciudad de la Paz"): "和平城",
    ("GT", "Guatemala City"): "危地马拉城",
    ("IN", "Faridabad"): "法里达巴德",
    ("IN", "Kanpur"): "坎普尔",
    ("JP", "Kobe"): "神户",
    ("JP", "Saitama"): "埼玉",
    ("JP", "Yokohama"): "横滨",
    ("KR", "Daegu"): "大邱",
    ("KR", "Daejeon"): "大田",
    ("KR", "Incheon"): "仁川",
    ("MA", "Fes"): "非斯",
    ("MM", "Nay Pyi Taw"): "内比都",
    ("MN", "Ulan Bator"): "乌兰巴托",
    ("MZ", "Maputo"): "马普托",
    ("PF", "Papeete"): "帕皮提",
    ("PK", "Faisalabad"): "费萨拉巴德",
    ("PW", "Ngerulmud"): "恩吉鲁穆德",
    ("RE", "Saint-Denis"): "圣但尼",
    ("RU", "Krasnoyarsk"): "克拉斯诺亚尔斯克",
    ("RU", "Nizhniy Novgorod"): "下诺夫哥罗德",
    ("RU", "Voronezh"): "沃罗涅日",
    ("US", "Phoenix"): "菲尼克斯",
    ("US", "San Diego"): "圣迭戈",
    ("US", "San Jose"): "圣何塞",
    ("US", "Washington"): "华盛顿",
    ("VN", "Hanoi"): "河内",
    ("YT", "Mamoudzou"): "马穆楚",
}

# In the order of their atomic numbers, from 1.
CHINESE_ELEMENTS = (
    "氢氦锂铍硼碳氮氧氟氖钠镁铝硅磷硫氯氩钾钙钪钛钒铬锰铁钴镍铜锌镓锗砷硒溴氪铷锶钇锆铌钼锝钌铑钯银镉铟锡锑碲碘氙铯钡"
    "镧铈镨钕钷钐铕钆铽镝钬铒铥镱镥铪钽钨铼锇铱铂金汞铊铅铋钋砹氡钫镭锕钍镤铀镎钚镅锔锫锎锿镄钔锘铹𬬻𬭊𬭳𬭛𬭶鿏𫟼𬬭鿔鿭𫓧镆𫟷鿬鿫"
)
ELEMENT_ALIASES = {
    "Al": ("aluminium",),
    "Au": ("黄金",),
    "Ag": ("白银",),
    "Cs": ("cesium",),
    "H": ("氢气",),
    "Hg": ("quicksilver", "水银"),
    "N": ("氮气",),
    "O": ("氧气",),
    "Pt": ("白金",),
    "S": ("sulphur", "硫磺"),
}
NOBLE_GASES = (2, 10, 18, 36, 54, 86, 118)
