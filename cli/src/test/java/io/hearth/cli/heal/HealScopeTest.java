// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.hbase.AssignmentSnapshotBuilder.RegionLocation;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HealScopeTest {

    private static final ServerName SERVER = ServerName.valueOf("Host7.example.com", 16020, 1);
    private static final RegionLocation REGION = new RegionLocation(
            RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build(), Optional.of(SERVER));

    private static HealScope on(String server) {
        return new HealScope(Optional.empty(), Optional.empty(), Optional.of(server));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"host7.example.com", "HOST7.EXAMPLE.COM,16020", "host7.example.com,16020,1", "Host7.example.com"
            })
    void aServerIsCalledByItsHostInAnyCase(String name) {
        assertThat(on(name).includes(REGION)).isTrue();
        assertThat(on(name).unknownServer(List.of(SERVER))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"host7", "host70.example.com", "host7.example.com,1602", "host7.example.com,16020,2"})
    void anotherNameIsNoServers(String name) {
        assertThat(on(name).includes(REGION)).isFalse();
        assertThat(on(name).unknownServer(List.of(SERVER)))
                .contains("no RegionServer is called " + name + "; there are Host7.example.com");
    }

    @Test
    void ofManyServersTwentyAreNamed() {
        List<ServerName> live = IntStream.range(10, 40)
                .mapToObj(host -> ServerName.valueOf("host" + host, 16020, 1))
                .toList();

        assertThat(on("h").unknownServer(live).orElseThrow())
                .startsWith("no RegionServer is called h; there are host10, host11, ")
                .endsWith(", host29 and 10 more");
        assertThat(on("h").unknownServer(List.of())).contains("no RegionServer is called h; there are none");
        assertThat(HealScope.ALL.unknownServer(List.of())).isEmpty();
    }
}
