import { amountText, minorOf, type NumberProps, ParsedField } from '../ui/field.tsx';
import { useShop } from './shop.ts';

/** An amount in minor units, typed as people write it: 19.99. */
export function MoneyField({ value, onValue, ...rest }: NumberProps) {
  const { currency_exponent: exponent } = useShop();
  return (
    <ParsedField
      {...rest}
      value={value}
      onValue={onValue}
      format={(minor) => amountText(minor, exponent)}
      parse={(typed) => minorOf(typed, exponent)}
    />
  );
}
