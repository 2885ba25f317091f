"""The paper's own classifiers: Weka's, run in Java by python-weka-wrapper3."""

from __future__ import annotations

import functools
import io
from typing import Any

import numpy as np

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.papers.interactive.nominal_sets import NominalSet

__all__ = ["WEKA", "weka_posteriors"]

WEKA = {
    "HC": (
        "weka.classifiers.bayes.BayesNet",
        "-D -Q weka.classifiers.bayes.net.search.local.HillClimber -- -N -R -P 100000 -S BDeu",
    ),
    "IBk": ("weka.classifiers.lazy.IBk", "-K 3"),
    "J48": ("weka.classifiers.trees.J48", ""),
    "LOG": ("weka.classifiers.functions.Logistic", ""),
    "MP": ("weka.classifiers.functions.MultilayerPerceptron", ""),
    "NB": ("weka.classifiers.bayes.NaiveBayes", ""),
}
"""Class and options of each; what the paper changed of the defaults is all that is given."""


def weka_posteriors(
    classifier: str, prepared: NominalSet, train: IntArray, test: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Train on some rows; return the class probabilities of these, and of others."""
    utils, java_io, instances = _java()
    name, options = WEKA[classifier]
    rows = [instances(java_io.StringReader(_arff(prepared, rows))) for rows in (train, test)]
    for part in rows:
        part.setClassIndex(part.numAttributes() - 1)
    model = utils.forName(_class(name), name, utils.splitOptions(options))
    model.buildClassifier(rows[0])
    learned, unseen = (np.array(model.distributionsForInstances(part)) for part in rows)
    return learned, unseen


def _arff(prepared: NominalSet, rows: IntArray) -> str:
    sizes = (*prepared.n_values, prepared.n_classes)
    head = [
        f"@attribute a{i} {{{','.join(map(str, range(size)))}}}" for i, size in enumerate(sizes)
    ]
    text = io.StringIO()
    table = np.column_stack([prepared.codes[rows], prepared.y[rows]])
    np.savetxt(text, table, fmt="%d", delimiter=",")
    return "\n".join(["@relation set", *head, "@data", text.getvalue()])


def _class(name: str) -> Any:
    import jpype

    return jpype.JClass(name).class_


@functools.cache
def _java() -> tuple[Any, Any, Any]:
    """Start Java once in this process."""
    try:
        import jpype
        import weka.core.jvm
    except ImportError:
        raise InputError(
            "Weka's classifiers need the extra [weka]: pip install 'askpoint[weka]', and Java 11 or newer"
        ) from None
    try:
        jpype.getDefaultJVMPath()
    except jpype.JVMNotFoundException:
        raise InputError(
            "Weka's classifiers need Java, and none was found: install a Java runtime, 11 or newer "
            "(Debian: default-jre-headless), or let JAVA_HOME name the folder of one"
        ) from None
    if not jpype.isJVMStarted():
        jars: list[str] = []
        weka.core.jvm.add_bundled_jars(jars)
        jpype.startJVM("-Djava.awt.headless=true", classpath=jars)
    jpype.java.util.logging.LogManager.getLogManager().reset()  # it warns of native libraries
    core = jpype.JPackage("weka").core
    return core.Utils, jpype.JPackage("java").io, core.Instances
