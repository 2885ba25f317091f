"""Front pages of campaigns: what home shows of them, who may join and on what terms, points."""
