import { amountText, minorOf, type NumberProps, ParsedField } from '../ui/field.tsx';
import { useShop } from './shop.ts';

/** An amount in minor units, typed as people write it: 19.99. */
export function MoneyField(props: NumberProps) {
  const { currency_exponent: exponent } = useShop();
  return <ParsedField {...props} format={(minor) => amountText(minor, exponent)} parse={(typed) => minorOf(typed, exponent)} />;
}
