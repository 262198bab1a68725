import { useId } from 'react'
import { encodings, type Encoding } from '#simulator/control-api.ts'
import { useSetVersion } from '#simulator/page/data/mutations.ts'
import { Select } from '#web/ui/fields/select.tsx'

/** Releases with identical webhooks share one label. */
const words: Partial<Record<Encoding, string>> = {
  '2.3.1': '2.3.1 e 2.3.2',
  '2.3.3': '2.3.3 e 2.3.4',
}
const options = encodings.map((value) => ({ value, label: words[value] ?? value }))

/** The release of the gateway. */
export function VersionChoice({ version }: { version: Encoding }) {
  const { mutate, isPending } = useSetVersion()
  const id = useId()
  return (
    <div className="flex shrink-0 items-center justify-between gap-2 px-4 pt-3 text-sm">
      <label htmlFor={id} className="text-xs font-semibold text-ink-2">
        Versão do gateway
      </label>
      <Select
        id={id}
        value={version}
        onChange={(next) => mutate(next as Encoding)}
        options={options}
        fieldSize="bar"
        isDisabled={isPending}
      />
    </div>
  )
}
