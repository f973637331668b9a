// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.opentsdb.stream.MetricStream.AcknowledgedPoints;
import io.hearth.bench.opentsdb.stream.MetricStream.DataPoint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReadBackResultTest {

    private final MetricStream stream = new MetricStream(1_000, 100, 2, List.of(1.0));
    private final List<Map<Long, Long>> answer = Stream.generate(() -> (Map<Long, Long>) new HashMap<Long, Long>())
            .limit(2)
            .toList();

    @BeforeEach
    void allPointsAreThere() {
        LongStream.range(0, 100).mapToObj(stream::point).forEach(point -> answer.get(point.host())
                .put(point.timestampMs(), point.value()));
    }

    private ReadBackResult readBackResult() {
        return ReadBackResult.of(stream, LongStream.range(10, 90), answer);
    }

    @Test
    void aWholeAnswerMayHoldMoreThanWasLookedFor() {
        assertThat(readBackResult()).isEqualTo(new ReadBackResult(80, 0, 0));
        assertThat(readBackResult().isComplete()).isTrue();
    }

    @Test
    void whatIsMissingOrWrongIsCounted() {
        DataPoint lost = stream.point(20);
        DataPoint other = stream.point(33);
        answer.get(lost.host()).remove(lost.timestampMs());
        answer.get(other.host()).put(other.timestampMs(), other.value() + 1);

        assertThat(readBackResult()).isEqualTo(new ReadBackResult(80, 1, 1));
        assertThat(readBackResult().isComplete()).isFalse();
        assertThat(readBackResult().plus(readBackResult())).isEqualTo(new ReadBackResult(160, 2, 2));
    }

    @Test
    void aHostThatIsNotInTheAnswerHasNothing() {
        assertThat(ReadBackResult.of(stream, LongStream.range(0, 10), List.of(answer.get(0))))
                .isEqualTo(new ReadBackResult(10, 5, 0));
    }

    @Test
    void acknowledgedPointsAreThoseOfTheRequestsThatWere() {
        AcknowledgedPoints points = new AcknowledgedPoints();
        points.add(0, 3);
        points.add(5, 8);

        assertThat(points.count()).isEqualTo(6);
        assertThat(points.all()).containsExactly(0L, 1L, 2L, 5L, 6L, 7L);
        assertThat(points.between(2, 7)).containsExactly(2L, 5L, 6L);
        assertThat(points.between(8, 100)).isEmpty();
    }
}
