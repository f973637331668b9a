// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

import io.hearth.balancer.config.BalancerSettings;
import io.hearth.common.config.Setting;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The configuration of one process: its values for the keys that the doctor reads, and for those of Hearth. Immutable.
 *
 * @param values by key; what is not in it has its default
 */
public record ProcessConfig(Map<String, String> values) {

    /** What HBase's own default file calls its version, which a server tells nobody else. */
    public static final String HBASE_VERSION = "hbase.defaults.for.version";

    private static final String HEARTH = "hearth.";
    private static final Set<String> OF_THE_BALANCER =
            BalancerSettings.all().stream().map(Setting::key).collect(Collectors.toSet());
    private static final String BINARY = "kmgtpe";

    public ProcessConfig {
        values = Map.copyOf(values);
    }

    /** Whether the doctor has any use for this key. */
    public static boolean isRead(String key) {
        return key.equals(HBASE_VERSION)
                || key.startsWith(HEARTH)
                || OF_THE_BALANCER.contains(key)
                || HadoopKey.named(key).isPresent();
    }

    /** The class of one entry of a list of coprocessors, {@code class|priority|path}, as HBase's {@code CoprocessorHost} takes it. */
    public static String coprocessorClass(String entry) {
        return entry.replaceFirst("\\|.*", "").strip();
    }

    /** The value or the default, which may be empty. */
    public String text(HadoopKey key) {
        String value = values.getOrDefault(key.key(), "").trim();
        return value.isEmpty() ? key.defaultValue() : value;
    }

    public boolean is(HadoopKey key) {
        return text(key).equalsIgnoreCase("true");
    }

    /**
     * A number, of bytes also as {@code 100m}.
     *
     * @throws IllegalArgumentException if it is none
     */
    public long number(HadoopKey key) {
        String text = text(key).toLowerCase(Locale.ROOT);
        int power = text.isEmpty() ? 0 : BINARY.indexOf(text.charAt(text.length() - 1)) + 1;
        try {
            String digits = power > 0 ? text.substring(0, text.length() - 1).trim() : text;
            return Math.multiplyExact(Long.parseLong(digits), 1L << (10 * power));
        } catch (NumberFormatException | ArithmeticException noNumber) {
            throw new IllegalArgumentException(key.key() + " is " + text + ", which is not a whole number", noNumber);
        }
    }

    /**
     * A number with a point.
     *
     * @throws IllegalArgumentException if it is none
     */
    public double decimal(HadoopKey key) {
        try {
            return Double.parseDouble(text(key));
        } catch (NumberFormatException noNumber) {
            throw new IllegalArgumentException(key.key() + " is " + text(key) + ", which is not a number", noNumber);
        }
    }

    /** Whether a DataNode with this configuration has Hearth's dataset, by its factory's name or by that which it had before. */
    public boolean hasHearthsDataset() {
        String factory = text(HadoopKey.DATASET_FACTORY);
        return factory.endsWith(".HearthDatasetFactory") || factory.endsWith(".DeletionDelayDatasetFactory");
    }

    /** The same with one more line. */
    public ProcessConfig with(String key, String value) {
        Map<String, String> more = new TreeMap<>(values);
        more.put(key, value);
        return new ProcessConfig(more);
    }

    /** A kind of process, with the file that an operator configures it in. */
    public enum Role {
        HMASTER("HMaster", "hbase-site.xml"),
        REGIONSERVER("RegionServer", "hbase-site.xml"),
        NAMENODE("NameNode", "hdfs-site.xml"),
        DATANODE("DataNode", "hdfs-site.xml"),
        HEALER("healer", "hbase-site.xml");

        private final String word;
        private final String file;

        Role(String word, String file) {
            this.word = word;
            this.file = file;
        }

        /** HBase's or HDFS's own word for it. */
        public String word() {
            return word;
        }

        public String file() {
            return file;
        }
    }
}
