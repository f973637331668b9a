package io.hearth.testkit.load;

import io.hearth.testkit.measure.KeySpace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Which row a row number stands for: numbers run through one region after the other, in an order of regions. So the order decides which regions
 * a hot spot, the lowest numbers, falls on. Numbers beyond the table are rows that are inserted at its end. Immutable.
 *
 * @param keys the keys of the table
 * @param regions every region's number once
 */
record RowOrder(KeySpace keys, List<Integer> regions) {

    RowOrder {
        regions = List.copyOf(regions);
    }

    /** Any order, by a seed. */
    static RowOrder shuffled(KeySpace keys, long seed) {
        List<Integer> regions =
                new ArrayList<>(IntStream.range(0, keys.regions()).boxed().toList());
        Collections.shuffle(regions, new Random(seed));
        return new RowOrder(keys, regions);
    }

    /** The same with these first. */
    RowOrder startingWith(List<Integer> first) {
        List<Integer> next = new ArrayList<>(first);
        regions.stream().filter(region -> !first.contains(region)).forEach(next::add);
        return new RowOrder(keys, next);
    }

    byte[] row(long number) {
        if (number >= keys.rows()) {
            return keys.row(keys.regions() - 1, Math.toIntExact(number - keys.rows() + keys.rowsPerRegion()));
        }
        return keys.row(regions.get((int) (number / keys.rowsPerRegion())), (int) (number % keys.rowsPerRegion()));
    }
}
