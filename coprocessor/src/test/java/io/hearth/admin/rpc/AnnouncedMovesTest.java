// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.admin.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.balancer.tracking.RegionMove;
import io.hearth.common.model.EncodedRegionName;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

class AnnouncedMovesTest {

    private static final String A = "host1,16020,1";
    private static final String B = "host2,16020,1";
    private static final String RESTARTED = "host2,16020,2";

    /** Region r is of table t on A; A and B are online. */
    private static final AnnouncedMoves.RegionLookup CLUSTER = new AnnouncedMoves.RegionLookup() {

        private final Map<String, String> serverByRegion = Map.of("r", A);
        private final Set<String> online = Set.of(A, B);

        @Override
        public Optional<ServerName> serverOf(String encodedName) {
            return Optional.ofNullable(serverByRegion.get(encodedName)).map(ServerName::valueOf);
        }

        @Override
        public Optional<String> tableOf(String encodedName) {
            return serverByRegion.containsKey(encodedName) ? Optional.of("t") : Optional.empty();
        }

        @Override
        public boolean isOnline(ServerName server) {
            return online.contains(server.getServerName());
        }
    };

    private static AnnouncedMoves read(String... moves) throws Exception {
        return AnnouncedMoves.read(request("[" + String.join(",", moves) + "]"), CLUSTER);
    }

    private static JsonObject request(String moves) {
        return JsonParser.parseString("{\"moves\":" + moves + "}").getAsJsonObject();
    }

    private static String move(String region, String table, String from, String to) {
        return "{\"region\":\"%s\",\"table\":\"%s\",\"from\":\"%s\",\"to\":\"%s\"}".formatted(region, table, from, to);
    }

    @Test
    void whatCanBeMadeIsBelieved() throws Exception {
        AnnouncedMoves moves = read(move("r", "t", A, B));

        assertThat(moves.accepted()).extracting(RegionMove::region).containsExactly(new EncodedRegionName("r"));
        assertThat(moves.firstRejection()).isEmpty();
    }

    @Test
    void ofRegionsThatAreNotThereNothingIsKept() throws Exception {
        String invented = IntStream.range(0, AnnouncedMoves.MAX_MOVES)
                .mapToObj(i -> move("invented-" + i, "t", A, B))
                .collect(Collectors.joining(","));

        AnnouncedMoves moves = read(invented);

        assertThat(moves.accepted()).isEmpty();
        assertThat(moves.rejected()).isEqualTo(AnnouncedMoves.MAX_MOVES);
        assertThat(moves.firstRejection()).contains("there is no region invented-0 of table t");
    }

    @Test
    void aMoveMustFitTheClusterAsItIs() throws Exception {
        assertThat(read(move("r", "u", A, B)).firstRejection()).contains("there is no region r of table u");
        assertThat(read(move("r", "t", B, A)).firstRejection()).contains("region r is not on host2,16020,1");
        assertThat(read(move("r", "t", A, RESTARTED)).firstRejection()).contains("host2,16020,2 is not online");

        AnnouncedMoves some = read(move("r", "t", B, A), move("r", "t", A, B), move("x", "t", A, B));
        assertThat(some.accepted()).hasSize(1);
        assertThat(some.rejected()).isEqualTo(2);
    }

    @Test
    void whatIsOfNoSuchFormIsNamed() {
        assertWrong("\"x\"", "moves must be a list, each with region, table, from and to.");
        assertWrong("[7]", "moves[0] must be an object with region, table, from and to.");
        assertWrong("[" + move("r", "t", A, B) + ",{\"region\":{}}]", "moves[1].region is missing or no text.");
        assertWrong("[" + move("r", "t", A, "host2") + "]", "moves[0].to must be a server as host,port,startcode.");
        assertWrong(
                IntStream.rangeClosed(0, AnnouncedMoves.MAX_MOVES)
                        .mapToObj(i -> "{}")
                        .collect(Collectors.joining(",", "[", "]")),
                "moves has 5001 entries; 5000 are allowed in a request. Send a longer plan in several.");
    }

    private static void assertWrong(String moves, String message) {
        assertThatThrownBy(() -> AnnouncedMoves.read(request(moves), CLUSTER)).hasMessage(message);
    }
}
