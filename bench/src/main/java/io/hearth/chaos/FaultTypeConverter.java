package io.hearth.chaos;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Faults by their names on a command line; in capitals and with underscores too. */
final class FaultTypeConverter implements ITypeConverter<Fault> {

    @Override
    public Fault convert(String typed) {
        String name = typed.toLowerCase(Locale.ROOT).replace('_', '-');
        return Arrays.stream(Fault.values())
                .filter(fault -> fault.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("there is no '" + typed + "'; allowed are "
                        + Arrays.stream(Fault.values()).map(Fault::toString).collect(Collectors.joining(", "))));
    }
}
