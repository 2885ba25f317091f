"""All addresses of the server."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import views as auth
from django.urls import include, path

import askpoint.arena.server.organisers.endpoints as endpoints
import askpoint.arena.server.organisers.logbook as logbook
import askpoint.server.home.views as views
from askpoint.arena.server.demo import PEOPLE
from askpoint.server.api.door import api
from askpoint.server.health import tell_health, tell_ready
from askpoint.server.home.invitations import agree, invitation
from askpoint.server.home.passwords import AccountPage, ResetPage
from askpoint.server.home.sign_in import SignIn
from askpoint.server.questionnaires.answering import questions

__all__ = ["handler400", "urlpatterns"]

handler400 = views.bad_request

_sign_in = SignIn.as_view(
    extra_context={"people": PEOPLE if settings.ASKPOINT.demo else ()},
)

urlpatterns = [
    path("", views.home, name="home"),
    path("health/", tell_health, name="health"),
    path("health/ready/", tell_ready, name="ready"),
    path("points/", views.points, name="points"),
    path("sign-in/", _sign_in, name="sign-in"),
    path("sign-out/", auth.LogoutView.as_view(), name="sign-out"),
    path("account/", AccountPage.as_view(), name="account"),
    path("reset/<str:uidb64>/<str:token>/", ResetPage.as_view(), name="reset"),
    path("enter/<str:name>/", views.enter, name="enter"),
    path("join/<str:token>/", invitation, name="invitation"),
    path("agree/<str:campaign>/", agree, name="agree"),
    path("play/", include("askpoint.arena.server.players.urls")),
    path("judge/", include("askpoint.arena.server.judges.urls")),
    path("run/<str:campaign>/examination/", include("askpoint.arena.server.examinations.urls")),
    path("tags/<str:campaign>/", include("askpoint.arena.server.tags.urls")),
    path("classifiers/<str:classifier>/costs/", include("askpoint.server.questionnaires.urls")),
    path("classifiers/", include("askpoint.server.deployments.urls")),
    path("questions/<str:token>/", questions, name="questions"),
    path("review/", include("askpoint.server.pool.urls")),
    path("reports/", include("askpoint.server.reports.urls")),
    path("payouts/", include("askpoint.arena.server.payouts.urls")),
    path("log/", logbook.log, name="log"),
    path("log/log.csv", logbook.log_file, name="log-file"),
    path("webhooks/", endpoints.webhooks, name="webhooks"),
    path("tokens/", include("askpoint.server.api.urls")),
    path("api/", api.urls),
    path("run/", include("askpoint.arena.server.organisers.urls")),
]
