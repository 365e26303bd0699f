package io.coppice.parts.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FileNamesTest {
  @Test
  void everyByteThatIsNoLetterDigitOrUnderscoreIsEscaped() {
    // The right sides are file names of both engines.
    assertThat(FileNames.escape("plain_09aZ")).isEqualTo("plain_09aZ");
    assertThat(FileNames.escape("we ird")).isEqualTo("we%20ird");
    assertThat(FileNames.escape("Ünï")).isEqualTo("%C3%9Cn%C3%AF");
    assertThat(FileNames.escape("имя")).isEqualTo("%D0%B8%D0%BC%D1%8F");
    assertThat(FileNames.escape("q\"\\/\u0001\n\t\u007fä"))
        .isEqualTo("q%22%5C%2F%01%0A%09%7F%C3%A4");
    for (String name : List.of("", "a", "a.b-c", "имя", "%41", "\uD83D\uDE00", "a%2Eb")) {
      assertThat(FileNames.unescape(FileNames.escape(name))).isEqualTo(name);
    }
  }

  @Test
  void whatNoNameEscapesToIsRefused() {
    for (String text : List.of("%", "%4", "%zz", "%2e", "%41", "a b", "../x", "%FF", "%C3", "é")) {
      assertThatThrownBy(() -> FileNames.unescape(text))
          .as(text)
          .isInstanceOf(EngineException.class);
    }
  }

  @Test
  void longStreamNamesAreReplacedByTheirHash() {
    String column = "very_long_column_name_".repeat(7);
    // A file of golden b_long_names_wide.
    assertThat(StreamName.ofColumn(column).arraySizes(0).fileName(FileNames.LENGTH_LIMIT))
        .hasSize(32)
        .matches("[0-9a-f]{32}");
    String fits = "x".repeat(127);
    assertThat(FileNames.ofStream(fits, 127)).isEqualTo(fits);
    assertThat(FileNames.ofStream(fits + "x", 127)).hasSize(32);
  }

  @Test
  void streamsAreNamedAlongTheType() {
    StreamName column = StreamName.ofColumn("t.x");
    assertThat(column.text()).isEqualTo("t%2Ex");
    assertThat(column.tupleElement("y.z").nullMap().text()).isEqualTo("t%2Ex%2Ey%2Ez.null");
    assertThat(column.arraySizes(1).text()).isEqualTo("t%2Ex.size1");
    assertThat(column.stringSizes().text()).isEqualTo("t%2Ex.size");
    assertThat(column.dictionary().text()).isEqualTo("t%2Ex.dict");
    assertThat(column.dictionaryPrefix().text()).isEqualTo("t%2Ex.dict_prefix");
    assertThat(column.sparseOffsets().text()).isEqualTo("t%2Ex.sparse.idx");
    assertThat(StreamName.sharedSizes("t.x").text()).isEqualTo("t.size0");
  }

  @Test
  void noNameLeavesItsDirectory() {
    assertThat(FileNames.staysInside("id.bin")).isTrue();
    assertThat(FileNames.staysInside("p space.proj")).isTrue();
    for (String text :
        List.of("", ".", "..", "../x", "a/b", "/x", "a\0b", "a\\b", "y".repeat(256))) {
      assertThat(FileNames.staysInside(text)).as(text).isFalse();
    }
  }
}
