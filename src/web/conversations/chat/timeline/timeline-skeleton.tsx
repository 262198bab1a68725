import { Skeleton } from '#web/ui/states/skeleton.tsx'

const bubbles = ['w-56', 'w-72', 'ml-auto w-64', 'ml-auto w-80', 'w-44', 'w-64', 'ml-auto w-52']

/** Placeholder of the messages. */
export function TimelineSkeleton() {
  return (
    <div
      role="status"
      aria-label="Carregando mensagens"
      className="flex flex-1 flex-col justify-end gap-2 p-5"
    >
      {bubbles.map((width) => (
        <Skeleton key={width} className={`h-9 max-w-[74%] rounded-bubble ${width}`} />
      ))}
    </div>
  )
}
