package millrace.gateway.api.downloads;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteRangeTest {
    @ParameterizedTest
    @CsvSource({
        "bytes=0-0,                100, 0-0",
        "bytes=0-99,               100, 0-99",
        "bytes=10-,                100, 10-99",
        "bytes=90-200,             100, 90-99",
        "bytes=-1,                 100, 99-99",
        "bytes=-1000,              100, 0-99",
        "Bytes=5-6,                100, 5-6",
        "bytes=100-,               100, outside",
        "bytes=-0,                 100, outside",
        "bytes=0-,                 0,   outside",
        "bytes=-5,                 0,   outside",
        ",                         100, whole",
        "bytes=-,                  100, whole",
        "bytes=6-5,                100, whole",
        "'bytes=0-1,4-5',          100, whole",
        "lines=0-1,                100, whole",
        "bytes=a-b,                100, whole",
        "bytes=0-9999999999999999999999, 100, whole",
    })
    void parses(@Nullable String header, long size, String expected) {
        String actual =
                switch (ByteRange.parse(header, size)) {
                    case ByteRange.Whole() -> "whole";
                    case ByteRange.Outside() -> "outside";
                    case ByteRange.Part(long first, long last) -> first + "-" + last;
                };
        assertThat(actual).isEqualTo(expected);
    }
}
