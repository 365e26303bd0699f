package io.coppice.language.expression;

/** A query that stands inside an expression. Its one kind is {@code statement.Query.Body}. */
public interface QueryBody {
  /**
   * The canonical text.
   *
   * @param indent spaces before every line but the first
   */
  String text(int indent);
}
