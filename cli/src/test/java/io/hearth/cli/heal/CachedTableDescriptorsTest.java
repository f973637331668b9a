// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** As HBase's AccessController answers: what the user may not see is left out of the list. */
class CachedTableDescriptorsTest {

    private static final TableName TABLE = TableName.valueOf("ns", "t");
    private static final TableDescriptor DESCRIPTOR =
            TableDescriptorBuilder.newBuilder(TABLE).build();
    private static final long SECOND = 1_000_000_000L;
    private static final String NOT_YET = "the table may be newer than the list of tables, which is read again soon";

    private final Connection connection = mock(Connection.class);
    private final Admin admin = mock(Admin.class);
    private long nowNanos;
    private final CachedTableDescriptors tables = new CachedTableDescriptors(connection, () -> nowNanos++);

    @BeforeEach
    void connect() throws IOException {
        when(connection.getAdmin()).thenReturn(admin);
    }

    @Test
    void aTableThatIsThereAndNotShownIsNotPermitted() throws IOException {
        when(admin.tableExists(TABLE)).thenReturn(true);
        assertThatThrownBy(() -> tables.descriptor(TABLE))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage(NOT_YET);
        nowNanos += 2 * SECOND;

        for (int region = 0; region < 10; region++) {
            assertThatThrownBy(() -> tables.descriptor(TABLE))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessage("HBase shows no descriptor of ns:t: ADMIN or CREATE on it is missing");
        }
        asked(2, 2);
        nowNanos += 61 * SECOND;
        assertThatThrownBy(() -> tables.descriptor(TABLE)).isInstanceOf(AccessDeniedException.class);
        asked(3, 3);
    }

    @Test
    void aTableThatIsGoneHasNone() throws IOException {
        assertThat(tables.descriptor(TABLE)).isEmpty();
        assertThat(tables.descriptor(TABLE)).isEmpty();
        asked(1, 1);
    }

    @Test
    void aTableThatIsDroppedLaterHasNone() throws IOException {
        aTableThatIsThereAndNotShownIsNotPermitted();
        when(admin.tableExists(TABLE)).thenReturn(false);
        nowNanos += 61 * SECOND;
        assertThat(tables.descriptor(TABLE)).isEmpty();
    }

    @Test
    void aTableMadeAfterTheListWasReadIsShownByTheNextOne() throws IOException {
        when(admin.tableExists(TABLE)).thenReturn(true);
        assertThatThrownBy(() -> tables.descriptor(TABLE)).hasMessage(NOT_YET);
        shown();
        nowNanos += 2 * SECOND;
        assertThat(tables.descriptor(TABLE)).contains(DESCRIPTOR);
    }

    @Test
    void theRightIsNoticedWithinAMinute() throws IOException {
        aTableThatIsThereAndNotShownIsNotPermitted();
        shown();
        nowNanos += 61 * SECOND;
        assertThat(tables.descriptor(TABLE)).contains(DESCRIPTOR);
    }

    private void shown() throws IOException {
        when(admin.listTableDescriptors(any(Pattern.class), anyBoolean())).thenReturn(List.of(DESCRIPTOR));
    }

    private void asked(int lists, int lookUps) throws IOException {
        verify(admin, times(lists)).listTableDescriptors(any(Pattern.class), anyBoolean());
        verify(admin, times(lookUps)).tableExists(TABLE);
    }
}
