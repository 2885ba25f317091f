"""Pages of labels as files: brought, and sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from askpoint.errors import InputError
from askpoint.server.deployments.access import for_owner
from askpoint.server.deployments.label_files import KINDS, MOST_LINES, bring_labels, label_lines
from askpoint.server.deployments.models import Deployment, Label
from askpoint.server.form_pages import explain_refusal_on

__all__ = ["LabelsForm", "labels", "labels_file"]

_MOST_BYTES = 5_000_000
_ENDINGS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
_SHOWN = 200  # refused lines: all of them stand in the field


class LabelsForm(forms.Form):
    """Labels as a file, or typed."""

    file = forms.FileField(
        label="A file of labels",
        required=False,
        help_text="CSV with the columns key and label, and if known judge, source and truth; or JSON lines with "
        f"these names. Up to {MOST_LINES:,} lines and 5 MB.",
        widget=forms.ClearableFileInput(attrs={"accept": ",".join(_ENDINGS)}),
    )
    text = forms.CharField(
        label="Or the lines themselves",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6}),
    )

    def lines(self) -> tuple[str, str]:
        """Return the text and its kind.

        Raises
        ------
        InputError
            If there is none, it is too large, or no text.
        """
        file, text = self.cleaned_data["file"], self.cleaned_data["text"]
        if file is None and not text.strip():
            raise InputError("upload a file, or type lines")
        if file is None:
            return text, "jsonl" if text.lstrip().startswith("{") else "csv"
        kind = _ENDINGS.get(Path(file.name.lower()).suffix)
        if kind is None:
            raise InputError(
                f"a file of labels ends in {', '.join(_ENDINGS)}; got {file.name[-80:]!r}"
            )
        if file.size > _MOST_BYTES:
            raise InputError(
                f"a file has at most 5 MB, and this one {file.size:,} bytes; upload it in parts"
            )
        try:
            return file.read().decode(), kind
        except UnicodeDecodeError as error:
            raise InputError(
                f"the file is not UTF-8 text: byte {error.start:,} is not valid; save it as UTF-8"
            ) from None


@for_owner
def labels(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Upload labels as a file, with what could not be taken to mend; or send them."""
    form = LabelsForm(request.POST or None, request.FILES or None)
    page: dict[str, Any] = {"deployment": deployment, "owns": True}
    if request.method == "POST" and form.is_valid():
        with explain_refusal_on(form):
            text, kind = form.lines()
            brought = bring_labels(deployment.pk, text, kind, request.user.username)
            lines = [one.text for one in brought.refused]
            again = "\n".join([brought.head, *lines] if brought.head and lines else lines)
            form = LabelsForm(initial={"text": again})
            page |= {"brought": brought, "refused": brought.refused[:_SHOWN]}
    page |= {"form": form, "n_labels": Label.objects.filter(policy__deployment=deployment).count()}
    wrong = request.method == "POST" and (form.is_bound or bool(page["brought"].refused))
    return render(request, "deployments/labels.html", page, status=422 if wrong else 200)


@require_GET
@for_owner
def labels_file(request: HttpRequest, deployment: Deployment, kind: str) -> StreamingHttpResponse:
    """Send all labels as CSV or JSON lines."""
    del request
    if kind not in KINDS:
        raise Http404
    lines = label_lines(deployment, kind)
    response = StreamingHttpResponse(lines, content_type=f"{KINDS[kind]}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{deployment.pk}-labels.{kind}"'
    return response
