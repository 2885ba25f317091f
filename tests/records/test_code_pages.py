"""Texts of old code pages are read with the letters that were written."""

import pytest

from askpoint.records.readers.code_pages import guess_code_page

TEXTS = {
    "cp1252": [
        "Prüfer;Wahrheit;Lösung\nschön;größer;Straße – 5 m³ für 20 €",
        "vérité;prédiction\nrefusé;élève",
        "etiqueta;decisión\nsí;señal",
        "säkerhet;gissning\nhög;låg",
        "verità;è;più",
        "decisão;não;ação",
        "sikkerhed;gæt\nhøj;på",
        "café",
        "¼ Liter;£40;3 × 4",
    ],
    "cp1250": ["etykieta;pewność\nzasadna;źródło", "skutečnost;předpověď\nříjen;šest", "címke;bizonyosság\nfő;erős;tűz"],
    "cp1254": ["gerçek;güven;ığdır\nşüpheli;doğru"],
    "cp1257": ["tikrasis;spėjimas\nžodis;šešių;įrašas"],
    "cp1251": ["эталон;прогноз;уверенность\nжалоба;вопрос;спам"],
    "cp1253": ["ετικέτα;πρόβλεψη;βεβαιότητα\nναι;όχι"],
    "gb18030": ["真实标签,预测标签,置信度\n合格,不合格,0.9"],
    "cp949": ["정답,예측,확신도\n긍정,부정,0.8"],
    "big5": ["標籤,預測,信心\n正確,錯誤,0.7"],
}  # fmt: skip


@pytest.mark.parametrize(("page", "text"), [(p, t) for p, texts in TEXTS.items() for t in texts])
def test_a_text_is_read_in_the_page_that_it_was_written_in(page, text):
    head, _, row = text.partition("\n")
    data = ("id;" + head + "\n" + (row or head) * 200).encode(page)
    assert data.decode(guess_code_page(data)) == data.decode(page)


def test_a_character_that_is_cut_off_at_the_end_of_the_look_does_not_count():
    data = ("x" + "真实标签" * 20_000).encode("gb18030")
    assert guess_code_page(data) == "gb18030"
