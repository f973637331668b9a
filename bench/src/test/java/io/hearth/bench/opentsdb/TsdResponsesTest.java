// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import io.hearth.bench.opentsdb.TsdClient.MetricNames;
import io.hearth.bench.opentsdb.stream.MetricStream.DataPoint;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** On answers that OpenTSDB 2.4.1 gave. */
class TsdResponsesTest {

    @Test
    void uidsAreHexadecimal() throws Exception {
        assertThat(TsdResponses.uids("{\"metric\":{\"a\":\"000001\",\"b\":\"00001F\"}}", "metric"))
                .isEqualTo(Map.of("a", 1, "b", 31));
        assertThatThrownBy(() -> TsdResponses.uids("[]", "metric")).hasMessage("The TSD answered: []");
    }

    @Test
    void aPutSaysWhatWasRefused() throws Exception {
        assertThat(TsdResponses.refusal("{\"success\":2,\"failed\":0,\"errors\":[]}"))
                .isEmpty();
        assertThat(TsdResponses.refusal(
                        "{\"success\":1,\"failed\":1,\"errors\":[{\"datapoint\":{},\"error\":\"Unknown metric\"}]}"))
                .isEqualTo("1 points were refused, the first for: Unknown metric");
        assertThat(TsdResponses.refusal("{\"success\":0,\"failed\":3,\"errors\":[]}"))
                .isEqualTo("3 points were refused, the first for: no reason");
        assertThatThrownBy(() -> TsdResponses.refusal("<html>{")).hasMessage("The TSD answered no JSON: <html>{");
    }

    @Test
    void valuesAreByHostAndTime() throws Exception {
        String answer = "[{\"metric\":\"hearth.metric.000\",\"tags\":{\"host\":\"web1\"},\"aggregateTags\":[],"
                + "\"dps\":{\"1795326720000\":42,\"1795326720001\":7}}]";

        assertThat(TsdResponses.values(answer, 2))
                .containsExactly(Map.of(), Map.of(1_795_326_720_000L, 42L, 1_795_326_720_001L, 7L));
        assertThat(TsdResponses.values("[]", 1)).containsExactly(Map.of());
    }

    @Test
    void aPointIsWrittenAsItIsRead() {
        assertThat(JsonParser.parseString(MetricNames.json(new DataPoint(7, 3, 1_795_326_720_001L, 42))))
                .isEqualTo(JsonParser.parseString("{\"metric\":\"hearth.metric.007\",\"timestamp\":1795326720001,"
                        + "\"value\":42,\"tags\":{\"host\":\"web3\"}}"));
        assertThat(MetricNames.hostOf(MetricNames.host(3))).isEqualTo(3);
    }
}
