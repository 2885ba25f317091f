"""What an organiser fills in to register a model."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.conf import settings

from askpoint.arena.server.pages.services import can_read_pages
from askpoint.errors import InputError
from askpoint.server.accounts.models import User
from askpoint.server.classifiers.cases import image_data
from askpoint.server.classifiers.chat import HOTTEST, MOST_SAMPLES, MOST_TOKENS, Chat, read_rubric
from askpoint.server.classifiers.keys import origins
from askpoint.server.classifiers.models import Classifier
from askpoint.server.classifiers.services import read_features, register
from askpoint.server.uploads.decoding import MOST_BYTES
from askpoint.server.uploads.services import read_image

__all__ = ["ModelForm"]


class ModelForm(forms.Form):
    """A model to play against, and a trial case that shows whether it is understood."""

    name = forms.CharField(max_length=80, help_text="What people will see.")
    adapter = forms.ChoiceField(label="Where it runs", choices=Classifier.ADAPTERS)
    target = forms.CharField(
        label="Function or address",
        max_length=500,
        help_text="MODULE:FUNCTION that the server was started with, or https://...",
    )
    classes = forms.CharField(
        required=False,
        help_text="In the order of the model's probabilities, with commas: clean, offensive. Empty "
        "for a chat model: its rubric names them.",
    )
    pages = forms.ChoiceField(
        label="What a case is",
        required=False,
        choices=[("", "a text, or a row of the columns below"), *Classifier.CASES[2:]],
        help_text="Of a web page the model gets title and text, as a text; of an image its bytes.",
    )
    features = forms.CharField(
        label="Columns, if a case is a row of features",
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One per line: “age: number” or “colour: red, green”. Empty: a case is a text.",
    )
    chat_model = forms.CharField(
        label="Chat model: its name at the address",
        required=False,
        max_length=80,
        help_text="Only for a chat model; its address ends in /v1, mostly.",
    )
    rubric = forms.CharField(
        label="Chat model: the rubric by which it decides",
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One class a line, and what belongs to it: “offensive: it belittles a person”.",
    )
    samples = forms.IntegerField(
        label="Chat model: how often each case is asked",
        required=False,
        initial=Chat.samples,
        min_value=1,
        max_value=MOST_SAMPLES,
        help_text="The share of its answers that name a class counts as the probability of that class.",
    )
    tokens = forms.IntegerField(
        label="Chat model: tokens of an answer, at most",
        required=False,
        initial=Chat.tokens,
        min_value=1,
        max_value=MOST_TOKENS,
        help_text="The name of a class takes a few; a model that thinks aloud before needs "
        "hundreds, and more seconds.",
    )
    temperature = forms.FloatField(
        label="Chat model: temperature",
        required=False,
        initial=Chat.temperature,
        min_value=0,
        max_value=HOTTEST,
        help_text="How much its answers vary. Take that of the deployed system; at 0 the answers "
        "to a case are nearly all alike.",
    )
    trial = forms.CharField(
        label="A trial case that the model surely gets right",
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text='A text, or a row as JSON: {"age": 40}. Nobody is paid for it.',
    )
    trial_image = forms.FileField(
        label="Or an image as the trial case",
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
        help_text="Only where a case is an image.",
    )
    expected = forms.CharField(label="What the model must say of it")
    seconds = forms.FloatField(
        label="Seconds that it may take",
        initial=1.5,
        min_value=0.1,
        max_value=30,
        help_text="A chat model needs more, 20 say: for all its answers to a case.",
    )

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        allowed, keyed = settings.ASKPOINT.models, origins(settings.ASKPOINT.model_keys)
        hint = self.fields["target"]
        if allowed:
            hint.help_text = (
                f"One of the functions that the server was started with ({', '.join(allowed)}), "
                "or https://..."
            )
            hint.initial = allowed[0]
        if not can_read_pages():
            pages = self.fields["pages"]
            pages.choices = [choice for choice in pages.choices if choice[0] != "page"]
            pages.help_text = 'Web pages want pip install "askpoint[pages]" on the server.'
        if keyed:
            hint.help_text += f" A key is sent to {', '.join(keyed)}."

    def keep(self, workspace: str, owner: User) -> Classifier:
        """Register the model as filled in.

        Raises
        ------
        InputError
            If it cannot be asked like this, or does not answer as expected.
        ModelError
            If it gives no usable answer.
        """
        given = self.cleaned_data
        images = given["pages"] == "image"
        features, chat = read_features(given["features"]), None
        classes = [name.strip() for name in given["classes"].split(",") if name.strip()]
        if given["adapter"] == "chat":
            rubric = read_rubric(given["rubric"])
            more = {name: given[name] for name in ("samples", "temperature", "tokens")}
            said = {name: value for name, value in more.items() if value is not None}
            chat = Chat(given["chat_model"].strip(), rubric, **said)
            classes = classes or list(chat.classes)
        return register(
            workspace,
            owner,
            name=given["name"],
            adapter=given["adapter"],
            target=given["target"].strip(),
            classes=classes,
            trial=self._trial(row=bool(features), image=images),
            expected=given["expected"].strip(),
            features=features,
            pages=given["pages"] == "page",
            images=images,
            chat=chat,
            seconds=given["seconds"],
        )

    def _trial(self, *, row: bool, image: bool) -> Any:
        """Return the trial case as the model is asked about it."""
        file = self.cleaned_data["trial_image"]
        if image:
            content = b"" if file is None else file.read(MOST_BYTES + 1)
            picture = read_image(content, apart=True)  # none may be running before the first model
            return image_data(picture.kind, picture.content)
        if not self.cleaned_data["trial"]:
            raise InputError("give a trial case that the model surely gets right")
        return _row(self.cleaned_data["trial"]) if row else self.cleaned_data["trial"]


def _row(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return {}
