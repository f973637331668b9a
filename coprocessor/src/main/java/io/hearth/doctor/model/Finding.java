// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

import io.hearth.doctor.model.ProcessConfig.Role;
import java.util.List;

/**
 * One thing that the doctor has to say. Immutable.
 *
 * @param check the name of the check that found it, which stays the same: {@code read-block-locations}
 * @param where the processes or folders that it is about; empty for the cluster as a whole
 * @param what what is so, one or two sentences
 * @param cost what comes of it; of an unknown, what it hides
 * @param fixes what to do, in this order; its lines are for together, what is instead of them is advice
 * @param source whose word it is: a measurement, a default, an issue of HBase or HDFS
 */
public record Finding(
        String check, Severity severity, List<String> where, String what, String cost, List<Fix> fixes, String source) {

    public Finding {
        where = where.stream().sorted().distinct().toList();
        fixes = List.copyOf(fixes);
    }

    /** How much a finding matters, the worst first. */
    public enum Severity {
        /** Something does not work, or can't. */
        ERROR,
        /** It works and costs more than it has to. */
        WARNING,
        /** Nothing is wrong; it explains what is seen elsewhere. */
        INFO,
        /** It could not be read, so that nobody knows. */
        UNKNOWN;

        /** Whether somebody has to do something. */
        public boolean needsAction() {
            return this == ERROR || this == WARNING;
        }
    }

    /** What to do about a finding: a line of a configuration file, or a command. Immutable. */
    public sealed interface Fix {

        /** When a changed line is used. */
        enum Effect {
            RESTART("restart them"),
            UPDATE_ALL_CONFIG("update_all_config in the HBase shell"),
            RECONFIG("hdfs dfsadmin -reconfig datanode HOST:IPC_PORT start"),
            REREAD("wait some seconds, in which they read it again");

            private final String words;

            Effect(String words) {
                this.words = words;
            }

            public String words() {
                return words;
            }
        }

        /**
         * One property in the file of the processes of a role, to be pasted as it is: never words. The lines of a finding belong together, and with all
         * of them it is mended.
         */
        record ConfigLine(Role role, String key, String value, Effect effect) implements Fix {

            /** @throws IllegalArgumentException if the value is words, or none that the key can have */
            public ConfigLine {
                if (value.isBlank()
                        || value.chars().anyMatch(Character::isWhitespace)
                        || !HadoopKey.named(key)
                                .map(known -> known.takes(value))
                                .orElse(true)) {
                    throw new IllegalArgumentException(key + " can't be \"" + value + "\"");
                }
            }

            public static ConfigLine of(Role role, HadoopKey key, Object value) {
                return new ConfigLine(role, key.key(), value.toString(), Effect.RESTART);
            }

            /** As it is written in the file. */
            public String xml() {
                return "<property><name>" + key + "</name><value>"
                        + value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") + "</value></property>";
            }
        }

        /** Something to run. */
        record Command(String command) implements Fix {}

        /** Something to do that has no exact line, in words. */
        record Advice(String words) implements Fix {}
    }
}
