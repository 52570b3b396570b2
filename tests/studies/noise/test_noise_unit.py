"""The unit of what is published: in the line, the sentence, the findings and the file."""

from dpdesigner.studies.findings import format_finding
from dpdesigner.studies.noise.design import NoiseDesign


def test_a_unit_is_written_at_every_error_and_squared_with_it():
    design = NoiseDesign(epsilon=2, sensitivity=3, cost="squared", unit="hours")
    answer = design.run()
    assert "Δ = 3\u00a0hours" in str(design.line)
    assert (
        format_finding(answer.findings["value"]) == "3.8046\u00a0hours²"
        and answer.findings["value"].label == "expected squared error"
    )
    assert "wrong by about 1.96\u00a0hours</b>" in str(answer.sentence)
    assert format_finding(design.replace(cost="absolute").run().findings["value"]).endswith("\u00a0hours")
    assert design.replace(cost="expression:x**4").run().findings["value"].unit == ""
    assert NoiseDesign.from_json(design.to_json()) == design
