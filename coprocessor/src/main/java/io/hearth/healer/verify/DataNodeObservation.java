// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.verify;

import java.util.Locale;

/**
 * What somebody saw of the DataNodes on a host. Immutable.
 *
 * @param observer who saw it: a host, or what stands for several
 * @param host the DataNode's, in lower case; where several DataNodes are on it, each of them stands for all
 * @param what the end of "its DataNode ...", as "answered" or "could not be reached"
 * @param atMs when, by a clock that does not go back, in milliseconds
 * @param holdsMs how long it counts where the same observer says nothing more, in milliseconds
 */
public record DataNodeObservation(
        ObserverKind kind, String observer, String host, Outcome outcome, String what, long atMs, long holdsMs) {

    public DataNodeObservation {
        host = host.toLowerCase(Locale.ROOT);
    }

    /** One that counts for as long as others of its kind. */
    public DataNodeObservation(
            ObserverKind kind, String observer, String host, Outcome outcome, String what, long atMs) {
        this(kind, observer, host, outcome, what, atMs, kind.holdsMs);
    }

    /** Who saw it, as far as that says how much it is believed. */
    public enum ObserverKind {
        /** The NameNode, which hears heartbeats: it knows who is dead, and not who is slow. What it says holds until it says otherwise. */
        NAMENODE(86_400_000),
        /** The DataNode, of itself, as the doctor reads it every ten minutes. */
        DATANODE(1_500_000),
        /** Several DataNodes that send it packets and agree, as the doctor reads it in the NameNode's report: whoever they are, one observer. */
        PEERS(1_500_000),
        /** Several of its partners in block moves, who agree. */
        PARTNERS(300_000),
        /** One process on one host, whose own network may be at fault. */
        CLIENT(300_000);

        private final long holdsMs;

        ObserverKind(long holdsMs) {
            this.holdsMs = holdsMs;
        }

        /** Whether it stands for several. */
        boolean isSeveral() {
            return this == PEERS || this == PARTNERS;
        }
    }

    /** How it went. */
    public enum Outcome {
        /** It served, or was heard of. */
        GOOD,
        /** It served late, or has a part that is slow. */
        SLOW,
        /** It did not serve; from the NameNode, that it counts as dead. */
        FAILED
    }

    /** One of a process that is on this host. */
    public static DataNodeObservation byClient(String observer, String host, Outcome outcome, String what, long atMs) {
        return new DataNodeObservation(ObserverKind.CLIENT, observer, host, outcome, what, atMs);
    }

    /** One of the healer's process, whoever in it has seen it: it has one way to the DataNode. */
    public static DataNodeObservation byHealer(String host, Outcome outcome, String what, long atMs) {
        return byClient("the healer", host, outcome, what, atMs);
    }

    /** One of the NameNode. */
    public static DataNodeObservation byNameNode(String host, Outcome outcome, String what, long atMs) {
        return new DataNodeObservation(ObserverKind.NAMENODE, "the NameNode", host, outcome, what, atMs);
    }

    boolean isBad() {
        return outcome != Outcome.GOOD;
    }
}
