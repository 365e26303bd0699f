package io.coppice.parts.skip;

import io.coppice.language.type.DataType;
import io.coppice.parts.format.ValueOrder;
import io.coppice.parts.skip.IndexCondition.Bound;
import io.coppice.parts.skip.IndexCondition.Constant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

/** Evaluates a condition on a single value that is known. */
final class Condition {
  private Condition() {}

  /** Whether the value in row {@code row} fulfils it; empty for what is not evaluated here. */
  static Optional<Boolean> holds(
      IndexCondition condition, DataType type, FieldVector vector, int row) {
    if (condition instanceof IndexCondition.IsNull) {
      return Optional.of(vector.isNull(row));
    }
    if (vector.isNull(row)) {
      return Optional.of(false);
    }
    if (condition instanceof IndexCondition.Equal equal) {
      return Optional.of(equal(type, vector, row, equal.value()));
    } else if (condition instanceof IndexCondition.In in) {
      return Optional.of(in.values().stream().anyMatch(v -> equal(type, vector, row, v)));
    } else if (condition instanceof IndexCondition.Range range) {
      return Optional.of(
          within(type, vector, row, range.lower(), 1)
              && within(type, vector, row, range.upper(), -1));
    } else if (condition instanceof IndexCondition.Has has) {
      return has(type, vector, row, has.value());
    }
    return Text.at(type, vector, row).flatMap(text -> ofText(condition, text));
  }

  private static boolean equal(DataType type, FieldVector vector, int row, Constant value) {
    ValueOrder order = ValueOrder.of(type);
    return !order.isNaN(vector, row)
        && order.compare(vector, row, value.vector(), value.row()) == 0;
  }

  private static boolean within(
      DataType type, FieldVector vector, int row, Optional<Bound> bound, int side) {
    if (bound.isEmpty()) {
      return true;
    }
    Constant value = bound.get().value();
    ValueOrder order = ValueOrder.of(type);
    if (order.isNaN(vector, row) || order.isNaN(value.vector(), value.row())) {
      return false;
    }
    int compared = side * order.compare(vector, row, value.vector(), value.row());
    return bound.get().included() ? compared >= 0 : compared > 0;
  }

  private static Optional<Boolean> has(DataType type, FieldVector vector, int row, Constant value) {
    if (!(type.bare() instanceof DataType.ArrayType array)) {
      return Optional.empty();
    }
    ListVector list = (ListVector) vector;
    for (int i = list.getElementStartIndex(row); i < list.getElementEndIndex(row); i++) {
      if (!list.getDataVector().isNull(i)
          && equal(array.element(), list.getDataVector(), i, value)) {
        return Optional.of(true);
      }
    }
    return Optional.of(false);
  }

  private static Optional<Boolean> ofText(IndexCondition condition, byte[] text) {
    if (condition instanceof IndexCondition.StartsWith prefix) {
      byte[] wanted = prefix.text().array();
      return Optional.of(
          text.length >= wanted.length
              && Arrays.equals(text, 0, wanted.length, wanted, 0, wanted.length));
    } else if (condition instanceof IndexCondition.EndsWith suffix) {
      byte[] wanted = suffix.text().array();
      int from = text.length - wanted.length;
      return Optional.of(
          from >= 0 && Arrays.equals(text, from, text.length, wanted, 0, wanted.length));
    } else if (condition instanceof IndexCondition.Contains contains) {
      return Optional.of(find(text, 0, contains.text().array()) >= 0);
    } else if (condition instanceof IndexCondition.HasToken token) {
      List<byte[]> tokens = Tokens.words(text);
      return Optional.of(tokens.stream().anyMatch(t -> Arrays.equals(t, token.token().array())));
    }
    // LIKE is evaluated by the row filter; here its pieces only exclude.
    if (condition instanceof IndexCondition.Like like) {
      int at = 0;
      for (byte[] piece : LikePattern.of(like.pattern().array()).pieces()) {
        at = find(text, at, piece);
        if (at < 0) {
          return Optional.of(false);
        }
        at += piece.length;
      }
    }
    return Optional.empty();
  }

  private static int find(byte[] text, int from, byte[] wanted) {
    for (int at = from; at + wanted.length <= text.length; at++) {
      if (Arrays.equals(text, at, at + wanted.length, wanted, 0, wanted.length)) {
        return at;
      }
    }
    return -1;
  }
}
