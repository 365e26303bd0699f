package io.coppice.parts.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.xxhash.XXHashFactory;
import org.junit.jupiter.api.Test;

class Lz4FramesTest {
  private static final long SEED = Long.getLong("coppice.seed", 0x124F);

  private static byte[] compressed(byte[] plain, LZ4FrameOutputStream.FLG.Bits... bits)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LZ4FrameOutputStream frame =
        new LZ4FrameOutputStream(out, LZ4FrameOutputStream.BLOCKSIZE.SIZE_64KB, bits)) {
      frame.write(plain);
    }
    return out.toByteArray();
  }

  private static byte[] sample(int size) {
    Random random = new Random(SEED);
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) (i % 1000 < 700 ? i / 3 : random.nextInt());
    }
    return bytes;
  }

  @Test
  void whatAWriterMadeIsReadAgain() throws IOException {
    for (int size : new int[] {0, 1, 5, 1000, 65_536, 300_001}) {
      byte[] plain = sample(size);
      byte[] frame =
          compressed(
              plain,
              LZ4FrameOutputStream.FLG.Bits.BLOCK_INDEPENDENCE,
              LZ4FrameOutputStream.FLG.Bits.CONTENT_CHECKSUM,
              LZ4FrameOutputStream.FLG.Bits.BLOCK_CHECKSUM);

      assertThat(Lz4Frames.decompress(frame, size)).isEqualTo(plain);
      assertThatThrownBy(() -> Lz4Frames.decompress(frame, size + 1))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void blocksMayReferToThoseBeforeThem() throws IOException {
    byte[] first = "abcdefgh".getBytes(StandardCharsets.US_ASCII);
    ByteBuffer frame = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(0x184D2204).put((byte) 0x40).put((byte) 0x40);
    int hash = XXHashFactory.safeInstance().hash32().hash(frame.array(), 4, 2, 0);
    frame.put((byte) (hash >>> 8));
    frame.putInt(first.length | 1 << 31).put(first);
    // No literals, 4 bytes of 8 before, then the literal x.
    frame.putInt(5).put((byte) 0x00).put((byte) 8).put((byte) 0).put((byte) 0x10).put((byte) 'x');
    frame.putInt(0);
    byte[] bytes = Arrays.copyOf(frame.array(), frame.position());

    assertThat(Lz4Frames.decompress(bytes, 13)).asString().isEqualTo("abcdefghabcdx");

    bytes[4] |= 0x20; // independent: nothing is before the second block
    bytes[6] = (byte) (XXHashFactory.safeInstance().hash32().hash(bytes, 4, 2, 0) >>> 8);
    assertThatThrownBy(() -> Lz4Frames.decompress(bytes, 13))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("8 bytes before");
  }

  @Test
  void damageIsAnErrorAndNothingElse() throws IOException {
    Random random = new Random(SEED);
    byte[] plain = sample(5_000);
    byte[] frame = compressed(plain, LZ4FrameOutputStream.FLG.Bits.BLOCK_INDEPENDENCE);
    int refused = 0;
    for (int i = 0; i < 3_000; i++) {
      byte[] damaged =
          Arrays.copyOf(
              frame, random.nextInt(10) == 0 ? random.nextInt(frame.length) : frame.length);
      for (int k = 0; k < 2 && damaged.length > 0; k++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      try {
        assertThat(Lz4Frames.decompress(damaged, plain.length)).hasSize(plain.length);
      } catch (IOException e) {
        refused++;
      }
    }
    assertThat(refused).as("seed %d", SEED).isGreaterThan(100);
  }
}
