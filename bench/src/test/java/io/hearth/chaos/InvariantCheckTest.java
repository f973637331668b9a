// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.testkit.measure.BlockSnapshot.Comparison;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;

class InvariantCheckTest {

    private static final Comparison SOUND = new Comparison(9, 1, 2, 0, 0, 0);

    private static AcknowledgedLoad load(int failedWrites) throws IOException {
        Connection connection = mock(Connection.class);
        when(connection.getTable(TableName.valueOf("t"))).thenThrow(new IOException("closed"));
        AcknowledgedLoad load = new AcknowledgedLoad(connection, ChaosTableTest.table(connection));
        for (int row = 0; row < failedWrites; row++) {
            load.writeRow(0, row);
        }
        return load;
    }

    @Test
    void whereNothingIsLostNothingIsSaid() throws Exception {
        assertThat(InvariantCheck.losses(load(0), 0, 0, SOUND, true)).isEmpty();
    }

    @Test
    void eachLossIsALineOfItsOwn() throws Exception {
        assertThat(InvariantCheck.losses(load(2), 0, 0, SOUND, true))
                .containsExactly("2 client errors, the first: java.io.IOException: closed");
        assertThat(InvariantCheck.losses(load(0), 3, 0, SOUND, true))
                .containsExactly("3 rows were acknowledged and are lost");
        assertThat(InvariantCheck.losses(load(0), 0, 4, SOUND, true)).containsExactly("4 loaded rows are lost");
        assertThat(InvariantCheck.losses(load(0), 0, 0, new Comparison(9, 0, 0, 5, 0, 0), true))
                .containsExactly("5 blocks span fewer racks than before");
        assertThat(InvariantCheck.losses(load(0), 0, 0, new Comparison(9, 0, 0, 0, 6, 0), true))
                .containsExactly("6 blocks are corrupt");
        assertThat(InvariantCheck.losses(load(0), 0, 0, SOUND, false))
                .containsExactly("fsck does not call HBase's files healthy");
    }

    @Test
    void allThatIsLostIsSaid() throws Exception {
        List<String> losses = InvariantCheck.losses(load(2), 3, 4, new Comparison(9, 0, 0, 5, 6, 0), false);

        assertThat(losses).hasSize(6);
    }
}
