// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb.stream;

import io.hearth.bench.opentsdb.stream.MetricStream.DataPoint;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * What an answer lacks of the points that have to be in it. Immutable.
 *
 * @param expected points that have to be there
 * @param missing of those, how many are not there
 * @param wrong of those, how many have another value
 */
public record ReadBackResult(long expected, long missing, long wrong) {

    /** Nothing was asked for. */
    public static final ReadBackResult NOTHING = new ReadBackResult(0, 0, 0);

    /** Looks for the points with these numbers, all of one metric, in values by host and time in milliseconds. */
    public static ReadBackResult of(MetricStream stream, LongStream numbers, List<Map<Long, Long>> valueByTimeByHost) {
        return numbers.mapToObj(stream::point)
                .map(point -> of(
                        point,
                        point.host() < valueByTimeByHost.size() ? valueByTimeByHost.get(point.host()) : Map.of()))
                .reduce(NOTHING, ReadBackResult::plus);
    }

    private static ReadBackResult of(DataPoint point, Map<Long, Long> valueByTime) {
        Long value = valueByTime.get(point.timestampMs());
        return new ReadBackResult(1, value == null ? 1 : 0, value == null || value == point.value() ? 0 : 1);
    }

    public ReadBackResult plus(ReadBackResult other) {
        return new ReadBackResult(expected + other.expected, missing + other.missing, wrong + other.wrong);
    }

    public boolean isComplete() {
        return missing == 0 && wrong == 0;
    }
}
