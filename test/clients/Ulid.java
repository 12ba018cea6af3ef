// snippet: adapter
import java.math.BigInteger;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

public class Ulid extends PGobject implements PGBinaryObject {
    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    int sent, received;

    public Ulid() {
        setType("ulid");
    }

    @Override
    public void setByteValue(byte[] bytes, int offset) {
        BigInteger bits = new BigInteger(1, java.util.Arrays.copyOfRange(bytes, offset, offset + 16));
        StringBuilder text = new StringBuilder();
        for (int shift = 125; shift >= 0; shift -= 5)
            text.append(DIGITS.charAt(bits.shiftRight(shift).intValue() & 31));
        value = text.toString();
        ++received;
    }

    @Override
    public int lengthInBytes() {
        return 16;
    }

    @Override
    public void toBytes(byte[] bytes, int offset) {
        BigInteger bits = BigInteger.ZERO;
        for (char character : value.toCharArray())
            bits = bits.shiftLeft(5).or(BigInteger.valueOf(DIGITS.indexOf(character)));
        for (int i = 0; i < 16; ++i)
            bytes[offset + i] = bits.shiftRight(8 * (15 - i)).byteValue();
        ++sent;
    }
}
// end
