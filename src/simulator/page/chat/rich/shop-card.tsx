import { Package, ShoppingCart } from 'lucide-react'
import type { RichOf } from '#simulator/control-api.ts'
import { MessageText } from '#simulator/page/chat/message-text.tsx'

/** '12990' and 'BRL' → 'R$ 129,90'; an unknown currency is shown after the number. */
function price(cents: number, currency: string): string {
  const amount = cents / 100
  try {
    return amount.toLocaleString('pt-BR', { style: 'currency', currency })
  } catch {
    return `${amount.toLocaleString('pt-BR', { minimumFractionDigits: 2 })} ${currency}`
  }
}

/** An order or a product of the catalogue. */
export function ShopCard({ item }: { item: RichOf<'order'> | RichOf<'product'> }) {
  const isOrder = item.kind === 'order'
  const Icon = isOrder ? ShoppingCart : Package
  const count = isOrder ? `${item.itemCount} ${item.itemCount === 1 ? 'item' : 'itens'} · ` : ''
  return (
    <div className="w-[190px] max-w-full">
      <span className="flex items-center gap-2.5 pb-0.5">
        <span className="grid size-10 shrink-0 place-items-center rounded-[6px] bg-ink/7 text-ink-2">
          <Icon size={20} aria-hidden />
        </span>
        <span className="min-w-0">
          <span className="block text-xs text-ink-2">{isOrder ? 'Pedido' : 'Produto'}</span>
          <span dir="auto" title={item.title} className="block truncate font-medium">
            {item.title}
          </span>
          <span className="block text-xs text-ink-2 tabular-nums">
            {count}
            {price(item.amount, item.currency)}
          </span>
        </span>
      </span>
      <MessageText text={(isOrder ? item.message : item.description) ?? ''} />
    </div>
  )
}
