// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.bench.opentsdb.stream.DataPoint;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** What the metrics and hosts of the stream are called. Pure. */
final class MetricNames {

    /** The one tag that each series has. */
    static final String TAG = "host";

    private static final String HOST = "web";

    private MetricNames() {}

    static String metric(int metric) {
        return String.format(Locale.ROOT, "hearth.metric.%03d", metric);
    }

    static String host(int host) {
        return HOST + host;
    }

    /** The number of a host by its name. */
    static int hostOf(String name) {
        return Integer.parseInt(name.substring(HOST.length()));
    }

    /** The first so many names. */
    static List<String> list(int count, IntFunction<String> name) {
        return IntStream.range(0, count).mapToObj(name).toList();
    }

    /** A point in the form of {@code /api/put}. */
    static String json(DataPoint point) {
        return "{\"metric\":\"" + metric(point.metric()) + "\",\"timestamp\":" + point.timestampMs() + ",\"value\":"
                + point.value() + ",\"tags\":{\"" + TAG + "\":\"" + host(point.host()) + "\"}}";
    }
}
