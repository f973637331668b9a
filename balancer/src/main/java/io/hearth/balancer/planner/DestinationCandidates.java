// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

/**
 * The servers that are tried for a region: the few coolest in the dimension in question, the few with most room in every
 * dimension, the few with fewest regions. A server is in the list once. Scratch of one search; not thread-safe.
 */
final class DestinationCandidates {

    private static final int COOLEST = 6;
    private static final int ROOMIEST = 8;
    private static final int FEWEST = 2;
    /** So many times as many are listed where these have not helped. */
    private static final int MANY = 4;

    private final ServerRankings rankings;
    private final int[] list = new int[MANY * (COOLEST + ROOMIEST + FEWEST) + 1];
    private final int[] found = new int[MANY * Math.max(COOLEST, ROOMIEST)];
    private final int[] listedIn;
    private int round;
    private int size;

    DestinationCandidates(ServerRankings rankings, int servers) {
        this.rankings = rankings;
        listedIn = new int[servers];
    }

    /** Lists the servers for a server that is too hot in this dimension, and one more unless it is none of them. */
    void list(int from, int dimension, int oneMore) {
        list(from, dimension);
        if (oneMore >= 0 && !isListed(oneMore)) {
            add(oneMore);
        }
    }

    /** Lists the servers for a server that is too hot in this dimension. */
    void list(int from, int dimension) {
        list(from, dimension, COOLEST, ROOMIEST, FEWEST);
    }

    /** Lists more of them. */
    void listMany(int from, int dimension) {
        list(from, dimension, MANY * COOLEST, MANY * ROOMIEST, MANY * FEWEST);
    }

    private void list(int from, int dimension, int coolest, int roomiest, int fewest) {
        begin(from);
        add(rankings.coolest(dimension), coolest);
        add(rankings.mostHeadroom(), roomiest);
        add(rankings.fewest(), fewest);
    }

    /** Lists the servers for a server that has too many regions, or too many of one table. */
    void list(int from) {
        begin(from);
        add(rankings.fewest(), COOLEST);
        add(rankings.mostHeadroom(), ROOMIEST);
    }

    private void begin(int from) {
        round++;
        size = 0;
        listedIn[from] = round;
    }

    private void add(TournamentTree ranking, int most) {
        int count = ranking.top(most, found, 0);
        for (int index = 0; index < count; index++) {
            if (!isListed(found[index])) {
                add(found[index]);
            }
        }
    }

    private void add(int server) {
        listedIn[server] = round;
        list[size++] = server;
    }

    /** Of the servers that may take regions, but for this one, the coolest in this dimension, listed or not; any where there is none. */
    int coolestOfAll(int dimension, int otherThan) {
        int count = rankings.coolest(dimension).top(2, found, 0);
        return found[count == 2 && found[0] == otherThan ? 1 : 0];
    }

    int size() {
        return size;
    }

    int get(int position) {
        return list[position];
    }

    /** Whether this server is in the list, or is the one that gives. */
    boolean isListed(int server) {
        return listedIn[server] == round;
    }
}
