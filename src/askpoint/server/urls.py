"""All addresses of the server."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import views as auth
from django.urls import include, path

import askpoint.server.api.aap_views as aap
import askpoint.server.home.activity as activity
import askpoint.server.home.views as views
from askpoint.server.api.json_api import api
from askpoint.server.demo import demo_people
from askpoint.server.extensions import load, server_parts
from askpoint.server.health import tell_health, tell_ready
from askpoint.server.home.endpoints import webhooks
from askpoint.server.home.invitations import invitation
from askpoint.server.home.passwords import AccountPage, ResetPage
from askpoint.server.home.sign_in import SignIn
from askpoint.server.home.workspaces import enter_other, show_workspace
from askpoint.server.metrics import tell_metrics
from askpoint.server.questionnaires.answering import questions

__all__ = ["handler400", "urlpatterns"]

handler400 = views.bad_request

_sign_in = SignIn.as_view(
    extra_context={"people": demo_people() if settings.ASKPOINT.demo else ()},
)

urlpatterns = [
    path("", views.home, name="home"),
    path("health/", tell_health, name="health"),
    path("health/ready/", tell_ready, name="ready"),
    path("metrics/", tell_metrics, name="metrics"),
    path("sign-in/", _sign_in, name="sign-in"),
    path("sign-out/", auth.LogoutView.as_view(), name="sign-out"),
    path("account/", AccountPage.as_view(), name="account"),
    path("reset/<str:uidb64>/<str:token>/", ResetPage.as_view(), name="reset"),
    path("enter/<str:name>/", views.enter, name="enter"),
    path("workspaces/<str:workspace>/", show_workspace, name="workspace"),
    path("workspaces/<str:workspace>/enter/", enter_other, name="enter-workspace"),
    path("join/<str:token>/", invitation, name="invitation"),
    path("classifiers/<str:classifier>/costs/", include("askpoint.server.questionnaires.urls")),
    path("agents/", include("askpoint.server.licences.urls")),
    path("classifiers/", include("askpoint.server.deployments.urls")),
    path("aap/v1/requests", aap.requests, name="aap-requests"),
    path("aap/v1/requests/<str:key>", aap.request_state, name="aap-request"),
    path("aap/v1/requests/<str:key>/consume", aap.request_consume, name="aap-consume"),
    path("aap/v1/requests/<str:key>/outcome", aap.request_outcome, name="aap-outcome"),
    path("questions/<str:token>/", questions, name="questions"),
    path("review/", include("askpoint.server.labelling.urls")),
    path("reports/", include("askpoint.server.reports.urls")),
    path("log/", activity.log, name="log"),
    path("log/log.csv", activity.log_file, name="log-file"),
    path("webhooks/", webhooks, name="webhooks"),
    path("tokens/", include("askpoint.server.api.urls")),
    path("api/", api.urls),
    *(address for parts in server_parts() for where in parts.urls for address in load(where)),
]
