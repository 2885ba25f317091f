"""Exports of queues: moderation, support, claims, in eight languages."""

from __future__ import annotations

from stranger_cases import Cases, case, day, money, predictions, r, rows_of, stranger, votes


@stranger
def moderation_queue(rng):
    c = Cases(rng, 400, ("keep", "remove"))
    acted = c.part(0.4)
    return case(rows_of({
        "post_id": [f"p{90000 + i}" for i in range(c.n)], "posted_at": [f"{day(i)}T10:{i % 60:02d}:00Z" for i in range(c.n)],
        "author_followers": c.each(lambda: rng.randint(0, 9000)), "reports": c.each(lambda: rng.randint(0, 6)),
        "auto_label": c.answer, "auto_score": [r(s) for s in c.sure], "mod_action": acted,
        "mod_name": [rng.choice(("kay", "noor", "tim")) if a else "" for a in acted],
    }), predictions("mod_action", "auto_label", "auto_score", truth=acted))  # fmt: skip


@stranger
def helpdesk_intents(rng):
    c = Cases(rng, 300, ("billing", "refund", "shipping", "login", "other"))
    after = c.part(0.8)
    return case(rows_of({
        "Ticket ID": [44000 + 3 * i for i in range(c.n)], "Created": [f"{day(i)} 09:1{i % 10}" for i in range(c.n)],
        "Intent": c.answer, "Intent confidence": [f"{100 * s:.0f}%" for s in c.sure], "Intent after agent": after,
        "Language": c.each(lambda: rng.choice(("en", "nl"))), "Priority": c.each(lambda: rng.choice(("low", "normal", "urgent"))),
        "CSAT": c.each(lambda: rng.choice((1, 2, 3, 4, 5, ""))),
    }), predictions("Intent after agent", "Intent", "Intent confidence", truth=after))  # fmt: skip


@stranger
def radiology(rng):
    c = Cases(rng, 260, ("negative", "positive"))
    return case(rows_of({
        "AccessionNumber": [f"ACC{i:06d}" for i in range(c.n)], "PatientAge": c.each(lambda: rng.randint(20, 90)),
        "Sex": c.each(lambda: rng.choice("MF")), "AI_finding_score": [r(100 * p["positive"], 1) for p in c.proba],
        "Radiologist_1": c.judge(0.85), "Radiologist_2": c.judge(0.88), "Biopsy": c.truth,
    }), predictions("Biopsy", None, "AI_finding_score"), votes("Radiologist_1", "Radiologist_2", gold="Biopsy"),
        asks="label judges kind gold proba confidence prediction")  # fmt: skip


@stranger
def credit_risk(rng):
    c = Cases(rng, 500, ("0", "1"))
    pd12 = [r(p["1"], 5) for p in c.proba]
    return case(rows_of({
        "application_no": [f"A-{i * 17 + 3}" for i in range(c.n)], "ltv": c.each(lambda: r(rng.random(), 3)),
        "dti": c.each(lambda: r(rng.random(), 3)), "pd_12m": pd12,
        "decision": ["reject" if p > 0.35 else "approve" for p in pd12], "default_flag": c.truth,
        "exposure": c.each(lambda: money(rng)),
    }), predictions("default_flag", None, "pd_12m"), asks="label proba prediction confidence classes kind map")  # fmt: skip


@stranger
def befund_german(rng):
    c = Cases(rng, 210, ("unauffällig", "auffällig"))
    chef = c.part(0.6)
    return case(rows_of({
        "Fallnummer": [f"F{i:05d}" for i in range(c.n)], "Alter": c.each(lambda: rng.randint(18, 91)),
        "Laborwert": c.each(lambda: r(rng.gauss(5, 1), 2)), "KI-Befund": c.answer, "KI-Score": [r(s, 3) for s in c.sure],
        "Befund Oberarzt": chef, "Bemerkung": c.each(lambda: rng.choice(("", "siehe Akte", "Kontrolle in 6 Wo."))),
    }), predictions("Befund Oberarzt", "KI-Befund", "KI-Score", truth=chef), how="csv:latin")  # fmt: skip


@stranger
def dossiers_french(rng):
    c = Cases(rng, 220, ("dégât des eaux", "vol", "bris de glace"))
    agent = c.part(0.7)
    return case(rows_of({
        "N° dossier": [7000 + i for i in range(c.n)], "Date dépôt": [f"{1 + i % 27:02d}/03/2026" for i in range(c.n)],
        "Catégorie IA": c.answer, "Indice": [r(s, 2) for s in c.sure], "Catégorie agent": agent,
        "Montant": c.each(lambda: money(rng)),
    }), predictions("Catégorie agent", "Catégorie IA", "Indice", truth=agent), how="csv:semicolon")  # fmt: skip


@stranger
def siniestros_spanish(rng):
    c = Cases(rng, 240, ("no", "si"))
    perito = c.part(0.5)
    return case(rows_of({
        "siniestro": [f"S{i:04d}" for i in range(c.n)], "fecha": [day(i) for i in range(c.n)], "fraude_modelo": c.answer,
        "prob_fraude": [r(p["si"]) for p in c.proba], "fraude_perito": perito, "importe": c.each(lambda: money(rng)),
    }), predictions("fraude_perito", "fraude_modelo", "prob_fraude", truth=perito), how="csv:semicolon")  # fmt: skip


@stranger
def pratiche_italian(rng):
    c = Cases(rng, 200, ("accolta", "respinta", "da integrare"))
    return case(rows_of({
        "pratica": [f"2026/{i}" for i in range(c.n)], "categoria_suggerita": c.answer,
        "affidabilità %": [f"{100 * s:.1f}".replace(".", ",") for s in c.sure], "categoria_finale": c.truth,
        "operatore": c.each(lambda: rng.choice(("Rossi", "Bianchi", "Verdi"))),
    }), predictions("categoria_finale", "categoria_suggerita", "affidabilità %"), how="csv:semicolon")  # fmt: skip


@stranger
def zaken_dutch(rng):
    c = Cases(rng, 230, ("toekennen", "afwijzen"))
    mens = c.part(0.75)
    return case(rows_of({
        "zaaknr": [f"Z-{i}" for i in range(c.n)], "looptijd_dagen": c.each(lambda: rng.randint(1, 60)),
        "uitkomst_model": c.answer, "score": [r(s, 3) for s in c.sure], "uitkomst_behandelaar": mens,
    }), predictions("uitkomst_behandelaar", "uitkomst_model", "score", truth=mens), how="csv:tab")  # fmt: skip


@stranger
def processos_portuguese(rng):
    c = Cases(rng, 190, ("cível", "penal", "laboral"))
    return case(rows_of({
        "processo": [f"{i}/26" for i in range(c.n)], "classe_sugerida": c.answer, "grau_certeza": [r(s, 2) for s in c.sure],
        "classe_revisor": c.part(0.6), "tempo_min": c.each(lambda: rng.randint(1, 40)),
    }), predictions("classe_revisor", "classe_sugerida", "grau_certeza"), how="csv:semicolon")  # fmt: skip


@stranger
def anken_japanese(rng):
    c = Cases(rng, 180, ("承認", "却下"))
    return case(rows_of({
        "案件番号": [f"K{i}" for i in range(c.n)], "AI判定": c.answer, "スコア": [r(s, 3) for s in c.sure],
        "担当者判定": c.part(0.5), "処理時間": c.each(lambda: rng.randint(10, 900)),
    }), predictions("担当者判定", "AI判定", "スコア"))  # fmt: skip
