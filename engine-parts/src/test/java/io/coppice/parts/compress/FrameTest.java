package io.coppice.parts.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.bytes.Memory;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.hash.CityHash;
import io.coppice.base.hash.FileHash;
import io.coppice.base.hash.Hash128Slot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FrameTest {
  private static final byte GUARD = 0x5a;

  private BufferAllocator allocator;
  private Compressor compressor;
  private Decompressor decompressor;
  private DirectBytes plain;
  private DirectBytes frame;
  private DirectBytes back;

  @BeforeEach
  void open() {
    allocator = new RootAllocator(256 << 20);
    compressor = new Compressor(allocator);
    decompressor = new Decompressor(allocator);
    plain = new DirectBytes(allocator);
    frame = new DirectBytes(allocator);
    back = new DirectBytes(allocator);
  }

  @AfterEach
  void close() {
    compressor.close();
    decompressor.close();
    plain.close();
    frame.close();
    back.close();
    assertThat(allocator.getAllocatedMemory()).isZero();
    allocator.close();
  }

  private static Random random(String test) {
    String given = System.getProperty("coppice.seed", "");
    long seed = given.isEmpty() ? 0x5EED : Long.decode(given);
    System.out.println(test + ": -Dcoppice.seed=" + seed);
    return new Random(seed);
  }

  private static List<CodecChain> chains() {
    List<CodecChain> chains = new ArrayList<>();
    List<Codec> all = new ArrayList<>();
    all.add(new Codec.None());
    all.add(new Codec.Lz4());
    all.add(new Codec.Lz4Hc(9));
    all.add(new Codec.Zstd(1));
    all.add(new Codec.Zstd(3, OptionalInt.of(20)));
    for (int width = 1; width <= 8; width *= 2) {
      all.add(new Codec.Delta(width));
      all.add(new Codec.DoubleDelta(width));
      all.add(new Codec.Gorilla(width));
    }
    for (int width = 1; width <= 32; width *= 2) {
      all.add(new Codec.Gcd(width));
    }
    for (T64Type type : T64Type.values()) {
      all.add(new Codec.T64(type, false));
      all.add(new Codec.T64(type, true));
    }
    all.add(new Codec.Fpc(5, 4));
    all.add(new Codec.Fpc(12, 8));
    for (Codec codec : all) {
      chains.add(CodecChain.of(codec));
      chains.add(CodecChain.of(codec, new Codec.Lz4()));
      chains.add(CodecChain.of(new Codec.Delta(4), codec, new Codec.Zstd(1)));
    }
    return chains;
  }

  /** Numbers of several shapes, so that each codec meets what it is made for and what it is not. */
  private static byte[] data(Random random, int size) {
    byte[] bytes = new byte[size];
    int shape = random.nextInt(6);
    int width = 1 << random.nextInt(4);
    long value = random.nextLong();
    long step = random.nextInt(1000) - 500;
    for (int at = 0; at + width <= size; at += width) {
      value =
          switch (shape) {
            case 0 -> random.nextLong();
            case 1 -> value + step;
            case 2 -> value + random.nextInt(100) - 50;
            case 3 -> random.nextInt(20) == 0 ? random.nextLong() : value;
            case 4 -> 42;
            default -> random.nextLong() >> random.nextInt(64);
          };
      for (int i = 0; i < width; i++) {
        bytes[at + i] = (byte) (value >>> (8 * i));
      }
    }
    return bytes;
  }

  private void compress(CodecChain chain, byte[] bytes) {
    plain.clear();
    plain.append(bytes, 0, bytes.length);
    frame.clear();
    long size = compressor.compress(chain, plain.address(), bytes.length, frame);
    assertThat(size).isEqualTo(frame.sizeBytes());
  }

  private byte[] open(String file) {
    FrameHeader header = FrameHeader.read(frame.address(), frame.sizeBytes(), file, 0);
    decompressor.verify(header, frame.address(), file, 0);
    int size = header.uncompressedSizeBytes();
    back.clear();
    long target = back.reserve(size + 64L) + 32;
    Memory.fill(target - 32, size + 64L, GUARD);
    try {
      decompressor.decompress(header, frame.address(), target, file, 0);
    } finally {
      for (int i = 1; i <= 32; i++) {
        assertThat(Memory.getByte(target - i)).isEqualTo(GUARD);
        assertThat(Memory.getByte(target + size - 1 + i)).isEqualTo(GUARD);
      }
    }
    byte[] bytes = new byte[size];
    Memory.copy(target, bytes, 0, size);
    return bytes;
  }

  @Test
  void everyChainGivesBackWhatItWasGiven() {
    Random random = random("everyChainGivesBackWhatItWasGiven");
    int count = 0;
    for (CodecChain chain : chains()) {
      for (int size : new int[] {0, 1, 3, 7, 8, 9, 64, 511, 512, 520, random.nextInt(20000)}) {
        byte[] bytes = data(random, size);
        compress(chain, bytes);
        assertThat(open(chain.text())).as("%s of %d bytes", chain.text(), size).isEqualTo(bytes);
        count++;
      }
    }
    System.out.println("frames made and opened: " + count);
  }

  private record Sample(String chain, String hash, byte[] bytes) {}

  private static List<Sample> samples() throws IOException {
    try (InputStream in = FrameTest.class.getResourceAsStream("frames-26.7.txt")) {
      String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      return text.lines()
          .map(line -> line.split(" "))
          .map(part -> new Sample(part[0], part[1], Base64.getDecoder().decode(part[2])))
          .toList();
    }
  }

  @Test
  void framesOfClickHouseAreOpenedAndMadeAgainByteForByte() throws IOException {
    int count = 0;
    for (Sample sample : samples()) {
      frame.clear();
      frame.append(sample.bytes(), 0, sample.bytes().length);
      byte[] inside = open(sample.chain());
      assertThat(FileHash.of(inside).numberHex()).as(sample.chain()).isEqualTo(sample.hash());
      CodecChain chain = FrameChains.of(allocator, decompressor, frame.address());
      boolean equal = false;
      for (CodecChain candidate : FrameChains.withLevels(chain)) {
        compress(candidate, inside);
        equal |= java.util.Arrays.equals(frame.toByteArray(), sample.bytes());
      }
      assertThat(equal).as(sample.chain()).isTrue();
      count++;
    }
    System.out.println("frames of ClickHouse 26.7 made again: " + count);
  }

  @Test
  void aFlippedBitIsNoticedAndTheFileNamed() throws IOException {
    int count = 0;
    for (Sample sample : samples()) {
      for (int i = 0; i < sample.bytes().length; i += 1 + i / 40) {
        byte[] damaged = sample.bytes().clone();
        damaged[i] ^= (byte) (1 << i % 8);
        frame.clear();
        frame.append(damaged, 0, damaged.length);
        assertThatThrownBy(() -> open("price.bin"))
            .isInstanceOf(EngineException.class)
            .hasMessageContaining("price.bin: the frame at 0");
        count++;
      }
    }
    System.out.println("flips noticed: " + count);
  }

  @Test
  void aCutFrameIsRefused() throws IOException {
    int count = 0;
    for (Sample sample : samples()) {
      for (int size = 0; size < sample.bytes().length; size++) {
        frame.clear();
        frame.append(sample.bytes(), 0, size);
        assertThatThrownBy(() -> open("price.bin"))
            .isInstanceOfSatisfying(
                EngineException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.CANNOT_READ_ALL_DATA));
        count++;
      }
    }
    System.out.println("cuts noticed: " + count);
  }

  /** Whoever can write a file can also write its checksum. */
  @Test
  void damageUnderARightChecksumNeverReachesForeignMemory() throws IOException {
    Random random = random("damageUnderARightChecksumNeverReachesForeignMemory");
    Hash128Slot slot = new Hash128Slot();
    int refused = 0;
    int opened = 0;
    List<byte[]> frames = new ArrayList<>();
    for (Sample sample : samples()) {
      frames.add(sample.bytes());
    }
    for (CodecChain chain : chains()) {
      compress(chain, data(random, 100 + random.nextInt(900)));
      frames.add(frame.toByteArray());
    }
    for (byte[] bytes : frames) {
      for (int round = 0; round < 60; round++) {
        byte[] damaged = bytes.clone();
        for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
          // The sizes in the outer header stay possible; the interesting damage is behind them.
          int at = random.nextInt(8) == 0 ? 16 : 25 + random.nextInt(damaged.length - 25);
          damaged[at] = (byte) random.nextInt();
        }
        if (random.nextInt(4) == 0) {
          int claimed = Memory.getInt(damaged, 21) + random.nextInt(41) - 20;
          for (int i = 0; i < 4; i++) {
            damaged[21 + i] = (byte) (Math.max(0, claimed) >>> (8 * i));
          }
        }
        CityHash.cityHash128(damaged, 16, damaged.length - 16, slot);
        System.arraycopy(slot.value().toBytes(), 0, damaged, 0, 16);
        frame.clear();
        frame.append(damaged, 0, damaged.length);
        try {
          open("price.bin");
          opened++;
        } catch (EngineException e) {
          refused++;
        }
      }
    }
    System.out.println("damaged bodies refused: " + refused + ", opened to something: " + opened);
    assertThat(refused).isPositive();
  }

  private static void put(byte[] header, int method, long compressed, long uncompressed) {
    header[16] = (byte) method;
    for (int i = 0; i < 4; i++) {
      header[17 + i] = (byte) (compressed >>> (8 * i));
      header[21 + i] = (byte) (uncompressed >>> (8 * i));
    }
  }

  @Test
  void absurdSizesAreRefusedBeforeAnythingIsAllocated() {
    long[][] sizes = {
      {0, 0}, {8, 0}, {0xffffffffL, 10}, {9, 0xffffffffL}, {0x40000001L, 10}, {100, 0x40000001L}
    };
    for (long[] size : sizes) {
      byte[] header = new byte[64];
      put(header, 0x82, size[0], size[1]);
      frame.clear();
      frame.append(header, 0, header.length);
      assertThatThrownBy(() -> open("price.bin"))
          .as("%d and %d", size[0], size[1])
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("price.bin: the frame at 0");
    }
  }

  @Test
  void methodsThatAreNotReadAreNamed() {
    for (int method : new int[] {0x96, 0x97, 0x99, 0x9c, 0x9f, 0x00, 0x55}) {
      byte[] bytes = new byte[40];
      put(bytes, method, 24, 8);
      Hash128Slot slot = new Hash128Slot();
      CityHash.cityHash128(bytes, 16, 24, slot);
      System.arraycopy(slot.value().toBytes(), 0, bytes, 0, 16);
      frame.clear();
      frame.append(bytes, 0, bytes.length);
      assertThatThrownBy(() -> open("price.bin"))
          .isInstanceOfSatisfying(
              EngineException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_COMPRESSION_METHOD);
                assertThat(e).hasMessageContaining(CompressionMethod.describe(method));
              });
    }
  }

  @Test
  void withoutNativeLibrariesTheSameIsReadAndWritten() {
    Random random = random("withoutNativeLibrariesTheSameIsReadAndWritten");
    try (ZstdContexts inJava = new ZstdContexts(false);
        ZstdContexts mayBeNative = new ZstdContexts()) {
      Lz4 lz4InJava = new Lz4(false);
      for (int round = 0; round < 50; round++) {
        byte[] bytes = data(random, 1 + random.nextInt(5000));
        ByteBuffer source = direct(bytes.length).put(bytes).flip();
        ByteBuffer packed = direct((int) ZstdContexts.bound(bytes.length));
        int size = lz4InJava.compress(source.duplicate(), packed);
        ByteBuffer opened = direct(bytes.length);
        new Lz4().decompress(packed.slice(0, size), opened);
        assertThat(opened.rewind()).isEqualTo(source);
        lz4InJava.decompress(packed.slice(0, size), opened);
        assertThat(opened.rewind()).isEqualTo(source);

        packed.clear();
        size = inJava.compress(new Codec.Zstd(1), source.duplicate(), packed);
        mayBeNative.decompress(packed.slice(0, size), opened);
        assertThat(opened.rewind()).isEqualTo(source);
        inJava.decompress(packed.slice(0, size), opened);
        assertThat(opened.rewind()).isEqualTo(source);

        ByteBuffer cut = packed.slice(0, size / 2);
        assertThatThrownBy(() -> inJava.decompress(cut, direct(bytes.length)))
            .isInstanceOf(EngineException.class);
      }
    }
  }

  private static ByteBuffer direct(int size) {
    return ByteBuffer.allocateDirect(size);
  }

  @Test
  void aFileOfSeveralFramesIsOneContent() {
    byte[] content = data(random("aFileOfSeveralFramesIsOneContent"), 100_000);
    byte[] file = compressor.compressAll(CodecChain.ZSTD_3, content, 65536);
    assertThat(decompressor.decompressAll(file, 0, "primary.cidx", 1 << 20)).isEqualTo(content);
    assertThatThrownBy(() -> decompressor.decompressAll(file, 0, "primary.cidx", 99_999))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("primary.cidx");
  }
}
