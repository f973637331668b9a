// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.metrics;

/**
 * Metrics in the text format that Prometheus reads, version 0.0.4: families one after another, each with its help and type. Not
 * thread-safe.
 */
final class PrometheusText {

    private final StringBuilder text = new StringBuilder();

    /** Begins a family; its samples follow. */
    PrometheusText family(String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        return this;
    }

    /** Adds a count. */
    PrometheusText sample(String name, long count, String... labels) {
        return sample(name, Long.toString(count), labels);
    }

    /** Adds a measure. */
    PrometheusText sample(String name, double value, String... labels) {
        return sample(name, number(value), labels);
    }

    /** @param labels names and values in turn; values may be anything */
    private PrometheusText sample(String name, String value, String... labels) {
        text.append(name);
        for (int label = 0; label < labels.length; label += 2) {
            text.append(label == 0 ? '{' : ',')
                    .append(labels[label])
                    .append("=\"")
                    .append(escaped(labels[label + 1]))
                    .append('"');
        }
        if (labels.length > 0) {
            text.append('}');
        }
        text.append(' ').append(value).append('\n');
        return this;
    }

    /** Without a point where it is whole. */
    static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
