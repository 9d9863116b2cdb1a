"""What the chemical elements are called, from hydrogen to oganesson, in the languages that no other source has them in.

The names are those that each language's own body for chemistry uses, as IUPAC's nomenclature leaves it to them.
"""

_LISTED = {
    "de": (
        "Wasserstoff Helium Lithium Beryllium Bor Kohlenstoff Stickstoff Sauerstoff Fluor Neon Natrium "
        "Magnesium Aluminium Silicium Phosphor Schwefel Chlor Argon Kalium Calcium Scandium Titan Vanadium "
        "Chrom Mangan Eisen Cobalt Nickel Kupfer Zink Gallium Germanium Arsen Selen Brom Krypton Rubidium "
        "Strontium Yttrium Zirconium Niob Molybdän Technetium Ruthenium Rhodium Palladium Silber Cadmium "
        "Indium Zinn Antimon Tellur Iod Xenon Caesium Barium Lanthan Cer Praseodym Neodym Promethium "
        "Samarium Europium Gadolinium Terbium Dysprosium Holmium Erbium Thulium Ytterbium Lutetium Hafnium "
        "Tantal Wolfram Rhenium Osmium Iridium Platin Gold Quecksilber Thallium Blei Bismut Polonium Astat "
        "Radon Francium Radium Actinium Thorium Protactinium Uran Neptunium Plutonium Americium Curium "
        "Berkelium Californium Einsteinium Fermium Mendelevium Nobelium Lawrencium Rutherfordium Dubnium "
        "Seaborgium Bohrium Hassium Meitnerium Darmstadtium Roentgenium Copernicium Nihonium Flerovium "
        "Moscovium Livermorium Tenness Oganesson"
    ),
    "fr": (
        "hydrogène hélium lithium béryllium bore carbone azote oxygène fluor néon sodium magnésium aluminium "
        "silicium phosphore soufre chlore argon potassium calcium scandium titane vanadium chrome manganèse "
        "fer cobalt nickel cuivre zinc gallium germanium arsenic sélénium brome krypton rubidium strontium "
        "yttrium zirconium niobium molybdène technétium ruthénium rhodium palladium argent cadmium indium "
        "étain antimoine tellure iode xénon césium baryum lanthane cérium praséodyme néodyme prométhium "
        "samarium europium gadolinium terbium dysprosium holmium erbium thulium ytterbium lutécium hafnium "
        "tantale tungstène rhénium osmium iridium platine or mercure thallium plomb bismuth polonium astate "
        "radon francium radium actinium thorium protactinium uranium neptunium plutonium américium curium "
        "berkélium californium einsteinium fermium mendélévium nobélium lawrencium rutherfordium dubnium "
        "seaborgium bohrium hassium meitnérium darmstadtium roentgenium copernicium nihonium flérovium "
        "moscovium livermorium tennesse oganesson"
    ),
    "es": (
        "hidrógeno helio litio berilio boro carbono nitrógeno oxígeno flúor neón sodio magnesio aluminio "
        "silicio fósforo azufre cloro argón potasio calcio escandio titanio vanadio cromo manganeso hierro "
        "cobalto níquel cobre zinc galio germanio arsénico selenio bromo kriptón rubidio estroncio itrio "
        "circonio niobio molibdeno tecnecio rutenio rodio paladio plata cadmio indio estaño antimonio "
        "telurio yodo xenón cesio bario lantano cerio praseodimio neodimio prometio samario europio "
        "gadolinio terbio disprosio holmio erbio tulio iterbio lutecio hafnio tántalo wolframio renio osmio "
        "iridio platino oro mercurio talio plomo bismuto polonio astato radón francio radio actinio torio "
        "protactinio uranio neptunio plutonio americio curio berkelio californio einstenio fermio mendelevio "
        "nobelio lawrencio rutherfordio dubnio seaborgio bohrio hasio meitnerio darmstatio roentgenio "
        "copernicio nihonio flerovio moscovio livermorio teneso oganesón"
    ),
    "pt": (
        "hidrogênio hélio lítio berílio boro carbono nitrogênio oxigênio flúor neônio sódio magnésio alumínio "
        "silício fósforo enxofre cloro argônio potássio cálcio escândio titânio vanádio cromo manganês ferro "
        "cobalto níquel cobre zinco gálio germânio arsênio selênio bromo criptônio rubídio estrôncio ítrio "
        "zircônio nióbio molibdênio tecnécio rutênio ródio paládio prata cádmio índio estanho antimônio "
        "telúrio iodo xenônio césio bário lantânio cério praseodímio neodímio promécio samário európio "
        "gadolínio térbio disprósio hólmio érbio túlio itérbio lutécio háfnio tântalo tungstênio rênio ósmio "
        "irídio platina ouro mercúrio tálio chumbo bismuto polônio astato radônio frâncio rádio actínio tório "
        "protactínio urânio netúnio plutônio amerício cúrio berquélio califórnio einsteinio férmio "
        "mendelévio nobélio laurêncio ruterfórdio dúbnio seabórgio bóhrio hássio meitnério darmstádtio "
        "roentgênio copernício nihônio fleróvio moscóvio livermório tenesso oganessônio"
    ),
    "ru": (
        "водород гелий литий бериллий бор углерод азот кислород фтор неон натрий магний алюминий кремний "
        "фосфор сера хлор аргон калий кальций скандий титан ванадий хром марганец железо кобальт никель медь "
        "цинк галлий германий мышьяк селен бром криптон рубидий стронций иттрий цирконий ниобий молибден "
        "технеций рутений родий палладий серебро кадмий индий олово сурьма теллур иод ксенон цезий барий "
        "лантан церий празеодим неодим прометий самарий европий гадолиний тербий диспрозий гольмий эрбий "
        "тулий иттербий лютеций гафний тантал вольфрам рений осмий иридий платина золото ртуть таллий свинец "
        "висмут полоний астат радон франций радий актиний торий протактиний уран нептуний плутоний америций "
        "кюрий берклий калифорний эйнштейний фермий менделевий нобелий лоуренсий резерфордий дубний сиборгий "
        "борий хассий мейтнерий дармштадтий рентгений коперниций нихоний флеровий московий ливерморий "
        "теннессин оганесон"
    ),
    "ja": (
        "水素 ヘリウム リチウム ベリリウム ホウ素 炭素 窒素 酸素 フッ素 ネオン ナトリウム マグネシウム "
        "アルミニウム ケイ素 リン 硫黄 塩素 アルゴン カリウム カルシウム スカンジウム チタン バナジウム "
        "クロム マンガン 鉄 コバルト ニッケル 銅 亜鉛 ガリウム ゲルマニウム ヒ素 セレン 臭素 クリプトン "
        "ルビジウム ストロンチウム イットリウム ジルコニウム ニオブ モリブデン テクネチウム ルテニウム "
        "ロジウム パラジウム 銀 カドミウム インジウム スズ アンチモン テルル ヨウ素 キセノン セシウム "
        "バリウム ランタン セリウム プラセオジム ネオジム プロメチウム サマリウム ユウロピウム ガドリニウム "
        "テルビウム ジスプロシウム ホルミウム エルビウム ツリウム イッテルビウム ルテチウム ハフニウム "
        "タンタル タングステン レニウム オスミウム イリジウム 白金 金 水銀 タリウム 鉛 ビスマス ポロニウム "
        "アスタチン ラドン フランシウム ラジウム アクチニウム トリウム プロトアクチニウム ウラン "
        "ネプツニウム プルトニウム アメリシウム キュリウム バークリウム カリホルニウム アインスタイニウム "
        "フェルミウム メンデレビウム ノーベリウム ローレンシウム ラザホージウム ドブニウム シーボーギウム "
        "ボーリウム ハッシウム マイトネリウム ダームスタチウム レントゲニウム コペルニシウム ニホニウム "
        "フレロビウム モスコビウム リバモリウム テネシン オガネソン"
    ),
}
NAMES = {language: names.split() for language, names in _LISTED.items()}
