// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.share.ServerQuantiles.ServerSample;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.Quantiles;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerQuantilesTest {

    @Test
    void aShareIsAMultipleOfWhatIsFairForTheServer() {
        ServerQuantiles servers = ServerQuantiles.of(List.of(
                sample(750, 3, 90, 100), sample(500, 1, 40, 100), sample(250, 2, 0, 0), sample(500, 2, 100, 100)));

        assertThat(servers.shares(LoadDimension.READS))
                .as("750, 250, 500 and 500 are fair")
                .hasToString("[0.5, 1.0, 1.0, 2.0]");
        assertThat(servers.shares(LoadDimension.WRITES)).as("nobody has any").isEqualTo(Quantiles.of(1, 1, 1, 1));
        assertThat(servers.locality()).as("the third has no store files").isEqualTo(Quantiles.of(0.4, 0.9, 1));
    }

    @Test
    void ofNoServerNothingIsKnown() {
        ServerQuantiles none = ServerQuantiles.of(List.of());

        assertThat(none.locality().min()).isEmpty();
        assertThat(none.shares(LoadDimension.READS).quantile(1)).isEmpty();
    }

    private static ServerSample sample(double reads, double capacity, double localBytes, long storeBytes) {
        return new ServerSample(LoadVector.ofReads(reads), capacity, localBytes, storeBytes);
    }
}
