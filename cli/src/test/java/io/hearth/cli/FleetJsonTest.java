// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.fleet.model.FleetFixtures;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetJsonTest {

    @Test
    void itHasEverythingAndLeavesOutWhatIsUnknown() {
        assertThat(FleetJson.of(List.of(
                        FleetFixtures.bad("east"), FleetFixtures.empty("new"), FleetFixtures.silent("north", "late"))))
                .hasToString("{\"clusters\":[{\"cluster\":\"east\",\"answered\":true,\"atMs\":1700000000000,"
                        + "\"master\":\"m1:16000\",\"byMaster\":true,\"servers\":4,\"regions\":30,"
                        + "\"locality\":{\"servers\":4,\"min\":0.41,\"lowerQuartile\":0.41,\"serversBelow80Percent\":2},"
                        + "\"balance\":{\"readsPerSecond\":{\"maxOverMean\":3.4,\"uneven\":true},"
                        + "\"writesPerSecond\":{\"maxOverMean\":1.02,\"uneven\":false},"
                        + "\"storeBytes\":{\"maxOverMean\":1.1,\"uneven\":false}},"
                        + "\"budgets\":[{\"objective\":\"gets\",\"leftShare\":-30.45},"
                        + "{\"objective\":\"puts\",\"leftShare\":1.0}],"
                        + "\"doctor\":{\"errors\":1,\"warnings\":2,\"worst\":{\"severity\":\"ERROR\","
                        + "\"check\":\"read-block-locations\",\"what\":\"Reads ask the NameNode \\\"again\\\" & again.\"}}},"
                        + "{\"cluster\":\"new\",\"answered\":true,\"atMs\":1700000000000,\"master\":\"m1:16000\","
                        + "\"byMaster\":false,\"servers\":4,\"regions\":30,"
                        + "\"locality\":{\"servers\":0},"
                        + "\"balance\":{\"readsPerSecond\":{\"maxOverMean\":1.0,\"uneven\":false},"
                        + "\"writesPerSecond\":{\"maxOverMean\":1.02,\"uneven\":false},"
                        + "\"storeBytes\":{\"maxOverMean\":1.1,\"uneven\":false}},"
                        + "\"doctorProblem\":\"none is in the master\"},"
                        + "{\"cluster\":\"north\",\"answered\":false,\"problem\":\"late\","
                        + "\"budgets\":[{\"objective\":\"gets\",\"leftShare\":-1.04}]}]}");
    }
}
