package io.coppice.query.explain;

import java.util.ArrayList;
import java.util.List;

/**
 * A step of a plan and those that it takes rows of. Immutable.
 *
 * @param title name, and in brackets what it is for
 * @param details a line each
 */
public record PlanStep(String title, List<String> details, List<PlanStep> children) {
  public PlanStep {
    details = List.copyOf(details);
    children = List.copyOf(children);
  }

  /** A step over one other. */
  public static PlanStep over(PlanStep child, String title, String... details) {
    return new PlanStep(title, List.of(details), List.of(child));
  }

  /** A step that takes rows of no other. */
  public static PlanStep leaf(String title, List<String> details) {
    return new PlanStep(title, details, List.of());
  }

  /** The tree, the last step first. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    append("", "", lines);
    return lines;
  }

  private void append(String first, String others, List<String> lines) {
    lines.add(first + title);
    String bar = children.isEmpty() ? "   " : "│  ";
    details.forEach(detail -> lines.add((others + bar + detail).stripTrailing()));
    for (int i = 0; i < children.size(); i++) {
      boolean last = i == children.size() - 1;
      children
          .get(i)
          .append(others + (last ? "└──" : "├──"), others + (last ? "   " : "│  "), lines);
    }
  }
}
