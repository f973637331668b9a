// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings.MapSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerCapacitiesTest {

    private static ServerCapacities read(Map<String, String> values) {
        return ServerCapacities.read("hbase-site.xml", new MapSettings(values));
    }

    @Test
    void aHostOfWhichNothingIsSaidIsLikeAnyOther() {
        ServerCapacities capacities = read(Map.of("hearth.server.RS1.example.com.capacity", "2.5"));

        assertThat(capacities.of("rs1.example.com")).isEqualTo(2.5);
        assertThat(capacities.of("Rs1.Example.com")).isEqualTo(2.5);
        assertThat(capacities.of("rs2.example.com")).isEqualTo(1);
        assertThat(capacities.problems()).isEmpty();
    }

    @Test
    void aCapacityThatIsNoneIsAProblemAndTheHostIsLikeAnyOther() {
        ServerCapacities capacities = read(Map.of("hearth.server.rs1.capacity", "0"));

        assertThat(capacities.of("rs1")).isEqualTo(1);
        assertThat(capacities.problems())
                .extracting(ConfigProblem::message)
                .containsExactly("hearth.server.rs1.capacity = '0' in hbase-site.xml can't be used: it must be a number"
                        + " from 0.01 to 100. 1.0 is used instead.");
    }

    @Test
    void ofTwoKeysOfOneHostOneIsAProblem() {
        ServerCapacities capacities =
                read(Map.of("hearth.server.RS1.capacity", "2", "hearth.server.rs1.capacity", "3"));

        assertThat(capacities.of("rs1")).isEqualTo(3);
        assertThat(capacities.problems())
                .extracting(ConfigProblem::message)
                .containsExactly(
                        "hearth.server.RS1.capacity in hbase-site.xml has no effect: hearth.server.rs1.capacity is of"
                                + " the same host, since upper and lower case do not count. 3.0 is used. Take one of the two out.");
    }

    @Test
    void aCapacityOfAHostWithoutAServerIsAProblem() {
        ServerCapacities capacities =
                read(Map.of("hearth.server.RS1.capacity", "2", "hearth.server.rs9.capacity", "3"));

        assertThat(capacities.unknownHosts(List.of("Rs1", "rs2")))
                .extracting(ConfigProblem::message)
                .containsExactly(
                        "hearth.server.rs9.capacity in hbase-site.xml has no effect now: no RegionServer runs on a host"
                                + " of this name. If one does, use the host's name as the HMaster's web UI has it.");
        assertThat(capacities.unknownHosts(List.of()))
                .as("nobody has reported yet")
                .isEmpty();
    }

    /** One host of half the size among four. */
    @Test
    void hostsAreAlikeWhereNoneIsStrongerThanAnother() {
        ServerCapacities capacities =
                read(Map.of("hearth.server.rs1.capacity", "0.5", "hearth.server.rs2.capacity", "0.5"));

        assertThat(capacities.areAlike(List.of("rs1", "rs3"))).isFalse();
        assertThat(capacities.areAlike(List.of("rs1", "rs2"))).isTrue();
        assertThat(capacities.areAlike(List.of("rs3", "rs4"))).isTrue();
        assertThat(capacities.areAlike(List.of("rs1"))).isTrue();
        assertThat(ServerCapacities.ALIKE.areAlike(List.of("rs1", "rs3"))).isTrue();
    }

    @Test
    void knowsItsOwnKeysOnly() {
        assertThat(ServerCapacities.isSiteKey("hearth.server.rs1.example.com.capacity"))
                .isTrue();
        assertThat(ServerCapacities.isSiteKey("hearth.server..capacity")).isFalse();
        assertThat(ServerCapacities.isSiteKey("hearth.server.rs1.weight")).isFalse();
    }
}
