// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.admin.rpc;

import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.tracking.RegionMove;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * The moves that a person announces before making them, as far as the master can believe in them: the region is of that table and
 * is on the server that it is to leave, and the server that it is to go to is online. What is kept of a request is therefore never
 * more than there are regions, whatever it holds. Immutable.
 *
 * @param accepted those that can be made
 * @param rejected how many can't be made
 * @param firstRejection why the first of those can't; empty where there is none
 */
record AnnouncedMoves(List<RegionMove> accepted, int rejected, Optional<String> firstRejection) {

    /** The moves of one request: a plan that has more is announced in several. */
    static final int MAX_MOVES = 5_000;

    /** What is asked of the master's own memory; it answers at once. */
    interface RegionLookup {

        /** Where the region of this encoded name is open; empty where it is not, or there is none. */
        Optional<ServerName> serverOf(String encodedName);

        /** The table of the region of this encoded name; empty where there is none. */
        Optional<String> tableOf(String encodedName);

        boolean isOnline(ServerName server);
    }

    /** Says which of the request's moves is not of the right form; the message is for who asked. */
    static final class MalformedMovesException extends Exception {

        private static final long serialVersionUID = 1;

        private MalformedMovesException(String message) {
            super(message);
        }
    }

    AnnouncedMoves {
        accepted = List.copyOf(accepted);
    }

    /**
     * Reads the request's {@code moves}, each with {@code region} (an encoded name), {@code table}, {@code from} and {@code to}
     * ({@code host,port,startcode}).
     */
    static AnnouncedMoves read(JsonObject request, RegionLookup regions) throws MalformedMovesException {
        if (!(request.get("moves") instanceof JsonArray moves)) {
            throw new MalformedMovesException("moves must be a list, each with region, table, from and to.");
        }
        if (moves.size() > MAX_MOVES) {
            throw new MalformedMovesException("moves has " + moves.size() + " entries; " + MAX_MOVES
                    + " are allowed in a request. Send a longer plan in several.");
        }
        List<RegionMove> accepted = new ArrayList<>();
        List<String> rejections = new ArrayList<>();
        int index = 0;
        for (JsonElement move : moves) {
            AnnouncedMove announced = AnnouncedMove.read(move, index++);
            announced.rejection(regions).ifPresentOrElse(rejections::add, () -> accepted.add(announced.regionMove()));
        }
        return new AnnouncedMoves(
                accepted, rejections.size(), rejections.stream().findFirst());
    }

    private record AnnouncedMove(String region, String table, ServerName from, ServerName to) {

        private static AnnouncedMove read(JsonElement element, int index) throws MalformedMovesException {
            if (!(element instanceof JsonObject move)) {
                throw new MalformedMovesException(
                        "moves[" + index + "] must be an object with region, table, from and to.");
            }
            return new AnnouncedMove(
                    text(move, "region", index),
                    text(move, "table", index),
                    server(move, "from", index),
                    server(move, "to", index));
        }

        private static String text(JsonObject move, String field, int index) throws MalformedMovesException {
            JsonElement value = move.get(field);
            if (value == null || !value.isJsonPrimitive() || value.getAsString().isEmpty()) {
                throw new MalformedMovesException("moves[" + index + "]." + field + " is missing or no text.");
            }
            return value.getAsString();
        }

        private static ServerName server(JsonObject move, String field, int index) throws MalformedMovesException {
            String name = text(move, field, index);
            if (!ServerName.isFullServerName(name)) {
                throw new MalformedMovesException(
                        "moves[" + index + "]." + field + " must be a server as host,port,startcode.");
            }
            return ServerName.valueOf(name);
        }

        /** Why it can't be made now; empty where it can. */
        private Optional<String> rejection(RegionLookup regions) {
            if (!regions.tableOf(region).equals(Optional.of(table))) {
                return Optional.of("there is no region " + region + " of table " + table);
            }
            if (!regions.serverOf(region).equals(Optional.of(from))) {
                return Optional.of("region " + region + " is not on " + from);
            }
            return regions.isOnline(to) ? Optional.empty() : Optional.of(to + " is not online");
        }

        private RegionMove regionMove() {
            return new RegionMove(
                    new EncodedRegionName(region), new TableId(table), HBaseNames.server(from), HBaseNames.server(to));
        }
    }
}
