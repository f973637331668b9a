// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.scenario;

import io.hearth.common.model.LoadDimension;
import io.hearth.sim.scenario.Scenario.TimeInterval;
import java.util.Locale;

/** One thing that is expected of a run. Immutable. */
public sealed interface Expectation {

    /** It as a sentence for a person. */
    String text();

    /** Max/mean of a dimension is at most (or at least) this in every sample of a span. */
    record MaxOverMean(LoadDimension dimension, double limit, boolean isAtMost, TimeInterval during)
            implements Expectation {

        @Override
        public String text() {
            return String.format(
                    Locale.ROOT,
                    "max/mean of %s is at %s %.2f%s",
                    dimension.label(),
                    isAtMost ? "most" : "least",
                    limit,
                    during.text());
        }
    }

    /** So many moves in a span, at most. */
    record Moves(int most, TimeInterval during) implements Expectation {

        @Override
        public String text() {
            return (most == 0 ? "nothing moves" : "at most " + most + " moves") + during.text();
        }
    }

    /** So many moves to this server in a span, at most. */
    record MovesTo(int most, int server, TimeInterval during) implements Expectation {

        @Override
        public String text() {
            return (most == 0 ? "nothing moves" : "at most " + most + " moves") + " to server " + server
                    + during.text();
        }
    }

    /** So many moves at least: the scenario is about moving. */
    record MinMoves(int fewest, TimeInterval during) implements Expectation {

        @Override
        public String text() {
            return "at least " + fewest + " moves" + during.text();
        }
    }

    /** So many moves in any stretch of this length, at most. */
    record MovesInAny(int most, long withinMs) implements Expectation {

        @Override
        public String text() {
            return "at most " + most + " moves in any " + ScenarioDurations.text(withinMs);
        }
    }

    /** So many moves of one region in any stretch of this length, at most. */
    record MovesOfOneRegion(int most, long withinMs) implements Expectation {

        @Override
        public String text() {
            return "no region moves more than " + (most == 1 ? "once" : most + " times")
                    + (withinMs == Long.MAX_VALUE ? "" : " in any " + ScenarioDurations.text(withinMs));
        }
    }

    /** So many times that a region went A, B, A within this time, at most. */
    record Returns(int most, long withinMs) implements Expectation {

        @Override
        public String text() {
            return (most == 0 ? "no region goes to and fro" : "at most " + most + " times a region goes to and fro")
                    + (withinMs == Long.MAX_VALUE ? "" : " within " + ScenarioDurations.text(withinMs));
        }
    }

    /** This region is not moved in a span. */
    record Stays(String table, int region, TimeInterval during) implements Expectation {

        @Override
        public String text() {
            return "region " + region + " of " + table + " stays where it is" + during.text();
        }
    }

    /** The moved regions have so many bytes of store files together, at most. */
    record BytesMoved(long most, TimeInterval during) implements Expectation {

        @Override
        public String text() {
            return "at most " + (most >> 30) + " GB are moved" + during.text();
        }
    }

    /** This share of all bytes is on the servers of their regions in every sample of a span, at least. */
    record Locality(double least, TimeInterval during) implements Expectation {

        @Override
        public String text() {
            return String.format(Locale.ROOT, "locality is at least %.0f %%%s", 100 * least, during.text());
        }
    }

    /** Healing moves so many bytes of blocks, at most. */
    record BytesHealed(long most) implements Expectation {

        @Override
        public String text() {
            return "at most " + (most >> 30) + " GB of blocks are moved";
        }
    }

    /** Replicas of one region are never on one server. */
    record ReplicasApart() implements Expectation {

        @Override
        public String text() {
            return "replicas of a region never share a server";
        }
    }

    /** The balancer says that this region should be split. */
    record RecommendsSplit(String table, int region) implements Expectation {

        @Override
        public String text() {
            return "the balancer says: split region " + region + " of " + table;
        }
    }
}
