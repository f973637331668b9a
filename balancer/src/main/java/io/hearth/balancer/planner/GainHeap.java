package io.hearth.balancer.planner;

/**
 * The regions of one server in the order of what moving each of them gained when it was last looked at: a binary heap, the
 * largest gain first, of equal ones the lower region. Scratch of one search; not thread-safe.
 */
final class GainHeap {

    private final int[] regions;
    private final double[] gains;
    private int size;

    GainHeap(int capacity) {
        regions = new int[capacity];
        gains = new double[capacity];
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** The largest gain. */
    double topGain() {
        return gains[0];
    }

    void clear() {
        size = 0;
    }

    void push(int region, double gain) {
        int place = size++;
        while (place > 0 && isBefore(region, gain, (place - 1) / 2)) {
            set(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
        regions[place] = region;
        gains[place] = gain;
    }

    /** Takes out the region with the largest gain. */
    int pop() {
        int top = regions[0];
        int region = regions[--size];
        double gain = gains[size];
        int place = 0;
        int child = larger(0);
        while (child < size && !isBefore(region, gain, child)) {
            set(place, child);
            place = child;
            child = larger(place);
        }
        regions[place] = region;
        gains[place] = gain;
        return top;
    }

    private int larger(int place) {
        int left = 2 * place + 1;
        int right = left + 1;
        return right < size && isBefore(regions[right], gains[right], left) ? right : left;
    }

    private boolean isBefore(int region, double gain, int place) {
        return gain > gains[place] || (gain == gains[place] && region < regions[place]);
    }

    private void set(int place, int from) {
        regions[place] = regions[from];
        gains[place] = gains[from];
    }
}
