// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.config;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.config.SettingsReader;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Every {@code hearth.datanode.cache.} key, and their reading. All of them but {@link #ALLUXIO_DIRECTORY} are live, as {@link
 * DataNodeSettings} says.
 */
public final class ReadCacheSettings {

    private static final String PREFIX = "hearth.datanode.cache.";

    private static final int MOST_VARIANTS = 12;
    private static final int MOST_READS = 10_000;
    private static final int MOST_MINUTES = 1_440;

    private static final Setting<Long> VARIANT_BYTES = Setting.bytes("size", 1L, 1L, 1L << 60, "bytes", "");

    public static final Setting<Mode> MODE = Setting.choice(
            PREFIX + "mode",
            Mode.OFF,
            "shadow: what a cache would do is counted, and nothing is written. Unreadable: off.");

    public static final Setting<String> DIRECTORY = Setting.of(
            PREFIX + "dir",
            "none",
            "an absolute path or none",
            "A folder below the mount point of the SSD, which is there. Only hearth-read-cache in it is touched.",
            ReadCacheSettings::parseFolder);

    public static final Setting<String> ALLUXIO_DIRECTORY = Setting.of(
            PREFIX + "alluxio.dir",
            "none",
            "an absolute path or none",
            "The jars of Alluxio's page store, which keeps the pages. Read at the start only.",
            ReadCacheSettings::parseFolder);

    public static final Setting<Long> MAX_BYTES = Setting.bytes(
            PREFIX + "max.bytes",
            1_099_511_627_776L,
            1_048_576L,
            1L << 60,
            "bytes",
            "Data and checksums on the SSD at most.");

    public static final Setting<Long> MIN_FREE_BYTES = Setting.bytes(
            PREFIX + "min.free.bytes",
            10_737_418_240L,
            0L,
            1L << 60,
            "bytes",
            "Free space of the SSD below which nothing is added, and the least recently read blocks go.");

    public static final Setting<Long> MAX_BLOCKS = Setting.wholeNumber(
            PREFIX + "max.blocks",
            100_000L,
            1L,
            1_000_000L,
            "blocks",
            "Blocks on the SSD at most; defaults take 0.5 GB of heap.");

    public static final Setting<Long> PAGE_BYTES = Setting.bytes(
            PREFIX + "page.bytes",
            1_048_576L,
            0L,
            16_777_216L,
            "bytes",
            "What is cached at once. 0: whole blocks, in the background.");

    public static final Setting<Integer> ADMISSION_READS = Setting.integer(
            PREFIX + "admission.reads",
            20,
            0,
            MOST_READS,
            "reads",
            "A block is cached once clients have read it more often within admission.minutes.");

    public static final Setting<Integer> ADMISSION_MINUTES = Setting.integer(
            PREFIX + "admission.minutes", 60, 1, MOST_MINUTES, "minutes", "How long a read counts for admission.");

    public static final Setting<Double> DAILY_WRITES = Setting.decimal(
            PREFIX + "max.daily.writes",
            1.0,
            0.01,
            100.0,
            "",
            "Bytes written a day on average, as a multiple of max.bytes; after a rest twice as many. Compare the SSD's DWPD.");

    public static final Setting<String> SHADOW = Setting.of(
            PREFIX + "shadow",
            "20/60/1TB 20/60/2TB 20/60/4TB 5/60/4TB 59/60/4TB",
            "at most " + MOST_VARIANTS + " of reads/minutes/size, like 20/60/4TB, with blanks between them",
            "Caches to simulate, also in mode on: admission.reads, admission.minutes and max.bytes of each.",
            text -> parseVariants(text).map(valid -> text.trim()));

    /** Every key, in the order of the documentation. */
    public static final List<Setting<?>> ALL = List.of(
            MODE,
            DIRECTORY,
            ALLUXIO_DIRECTORY,
            MAX_BYTES,
            MIN_FREE_BYTES,
            MAX_BLOCKS,
            PAGE_BYTES,
            ADMISSION_READS,
            ADMISSION_MINUTES,
            DAILY_WRITES,
            SHADOW);

    /**
     * A configuration, and what could not be used in it. Immutable.
     *
     * @param alluxioFolder the jars of Alluxio's page store; empty where the cache keeps its pages itself
     */
    public record Reading(ReadCacheConfig config, Optional<Path> alluxioFolder, List<ConfigProblem> problems) {

        public Reading {
            problems = List.copyOf(problems);
        }
    }

    private ReadCacheSettings() {}

    /**
     * Reads every key; a value that can't be used is a problem, and the key's default is used in its place. Unknown keys are the
     * matter of {@link DataNodeSettings#read}.
     *
     * @param where the name of the configuration in messages
     */
    public static Reading read(String where, RawSettings raw) {
        SettingsReader reader = new SettingsReader(where, raw);
        Mode mode = reader.readOrFailSafe(MODE, Mode.OFF);
        ReadCacheConfig config = new ReadCacheConfig(
                mode,
                readFolder(reader, DIRECTORY),
                new Storage(
                        reader.read(MAX_BYTES),
                        reader.read(MIN_FREE_BYTES),
                        reader.read(MAX_BLOCKS),
                        reader.read(PAGE_BYTES),
                        reader.read(DAILY_WRITES)),
                new Admission(reader.read(ADMISSION_READS), reader.read(ADMISSION_MINUTES)),
                parseVariants(reader.read(SHADOW)).orElse(List.of()));
        Optional<Path> alluxioFolder = readFolder(reader, ALLUXIO_DIRECTORY);
        return new Reading(config, alluxioFolder, reader.problems());
    }

    private static Optional<Path> readFolder(SettingsReader reader, Setting<String> setting) {
        String folder = reader.read(setting);
        return folder.equals(setting.defaultValue()) ? Optional.empty() : Optional.of(Path.of(folder));
    }

    private static Optional<String> parseFolder(String text) {
        String name = text.trim();
        try {
            return name.equals("none") || Path.of(name).isAbsolute() ? Optional.of(name) : Optional.empty();
        } catch (InvalidPathException unusable) {
            return Optional.empty();
        }
    }

    private static Optional<List<ShadowVariant>> parseVariants(String text) {
        List<ShadowVariant> variants = new ArrayList<>();
        for (String word : text.trim().split("\\s+", -1)) {
            Optional<ShadowVariant> variant = parseVariant(word);
            if (variant.isEmpty() || variants.size() == MOST_VARIANTS) {
                return Optional.empty();
            }
            variants.add(variant.get());
        }
        return Optional.of(List.copyOf(variants));
    }

    private static Optional<ShadowVariant> parseVariant(String word) {
        String[] parts = word.split("/", -1);
        if (parts.length != 3) {
            return Optional.empty();
        }
        return ADMISSION_READS
                .parse(parts[0])
                .flatMap(reads -> ADMISSION_MINUTES.parse(parts[1]).flatMap(minutes -> VARIANT_BYTES
                        .parse(parts[2])
                        .map(bytes -> new ShadowVariant(new Admission(reads, minutes), bytes))));
    }

    /** What the read cache does with a client's read. */
    public enum Mode {
        /** Nothing; what is cached stays, and goes with its replica. */
        OFF,
        /** It counts what caches of several sizes would do. */
        SHADOW,
        /** It serves, fills and counts. */
        ON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * When a block is cached: once it was read more than {@code reads} times within so many minutes. Immutable.
     *
     * @param reads the reads that are not enough
     * @param minutes the window, in buckets of a minute
     */
    public record Admission(int reads, int minutes) {}

    /**
     * How much of the SSD is used, and how. Immutable.
     *
     * @param maxBytes data and checksums on the SSD at most
     * @param minFreeBytes free space of its file system below which nothing is added
     * @param maxBlocks blocks at most
     * @param configuredPageBytes the key's value: 0 stands for whole blocks
     * @param dailyWrites bytes written in a day at most, as a multiple of {@code maxBytes}
     */
    public record Storage(
            long maxBytes, long minFreeBytes, long maxBlocks, long configuredPageBytes, double dailyWrites) {

        /** Whether a block is cached as a whole, in the background. */
        public boolean wholeBlocks() {
            return configuredPageBytes == 0;
        }

        /** The size of a page in bytes; that of whole blocks too, which are filled page by page. */
        public int pageBytes() {
            return wholeBlocks() ? 1 << 20 : (int) Math.max(4_096, configuredPageBytes);
        }

        /** What may be written in a day, in bytes. */
        public long bytesPerDay() {
            return (long) (maxBytes * dailyWrites);
        }
    }

    /** One cache that is simulated: its admission, and its size in bytes. Immutable. */
    public record ShadowVariant(Admission admission, long maxBytes) {}

    /**
     * What an operator has set about the read cache, parsed. {@link ReadCacheSettings} has the keys, defaults and meanings. Immutable.
     *
     * @param mode what is done with a client's read
     * @param folder where on the SSD; empty where none is set, and then nothing is cached
     */
    public record ReadCacheConfig(
            Mode mode,
            Optional<Path> folder,
            Storage storage,
            Admission admission,
            List<ShadowVariant> shadowVariants) {

        public ReadCacheConfig {
            shadowVariants = List.copyOf(shadowVariants);
        }
    }
}
